"""The command line: one small file per subcommand, imported when it is used."""
