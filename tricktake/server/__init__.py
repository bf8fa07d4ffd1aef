"""Tables that people and programs sit down at over a network (docs/server.md)."""
