"""Values of a game as JSON, to be read by people and programs; they are not read back."""

from __future__ import annotations

import enum
from typing import Any

import attrs


def plain(value: Any) -> Any:
    """Numbers, texts and flags as they are, enumerations by name, frozen values as objects, the rest as text."""
    if isinstance(value, enum.Enum):
        return value.name.lower()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if attrs.has(type(value)):
        return {field.name: plain(getattr(value, field.name)) for field in attrs.fields(type(value))}
    return str(value)
