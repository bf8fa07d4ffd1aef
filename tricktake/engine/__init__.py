"""Programs in any language as players, and our players for programs of others (docs/engine-protocol.md)."""
