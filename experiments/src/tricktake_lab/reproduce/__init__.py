"""Every table and figure of the papers as a named item: an experiment, the printed numbers, and a verdict.

Items are data (``papers/*.toml``); ``tricktake reproduce`` runs them, ``docs/reproduced.md`` shows what came out.
"""
