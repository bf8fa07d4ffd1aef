"""The command line: one small file per subcommand, imported when it is used.

A command imports what it needs in its function: numpy, numba and rich are not loaded to print a help text.
"""
