"""Compiled code over int64 numbers and arrays; it knows nothing of the rest of the package."""
