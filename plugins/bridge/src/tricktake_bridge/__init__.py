"""Bridge for tricktake."""
