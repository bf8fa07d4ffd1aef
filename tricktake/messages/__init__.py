"""Games, views and actions as JSON, for programs that are not ours and for browsers (docs/engine-protocol.md).

Cards go by their names, places by theirs; no number of a bit is said. What is read is checked field by field and
bounded in size; errors are InputErrors with the path of the field.
"""

from tricktake.messages.actions import Naming
from tricktake.messages.game import (
    VERSION,
    game_from_json,
    game_to_json,
    limit_from_json,
    limit_to_json,
    score_from_json,
    score_to_json,
)
from tricktake.messages.reading import MAX_LINE, Node, line, parse
from tricktake.messages.view import contract_from_json, contract_to_json, view_from_json, view_to_json

__all__ = [
    "MAX_LINE",
    "VERSION",
    "Naming",
    "Node",
    "contract_from_json",
    "contract_to_json",
    "game_from_json",
    "game_to_json",
    "limit_from_json",
    "limit_to_json",
    "line",
    "parse",
    "score_from_json",
    "score_to_json",
    "view_from_json",
    "view_to_json",
]
