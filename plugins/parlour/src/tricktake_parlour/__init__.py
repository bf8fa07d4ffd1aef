"""Parlour games for tricktake, a short file or a small package each, and their simple players."""
