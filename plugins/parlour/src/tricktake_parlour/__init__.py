"""Parlour games for tricktake, a short file each."""
