"""The table manager protocol of Blue Chip Bridge, version 18: a manager and players (docs/bridge.md)."""
