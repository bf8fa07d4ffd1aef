"""The experiments on Kermit (docs/kermit.md)."""
