"""Hearts for tricktake."""
