"""Fuzzing: every parser is fed damaged input; anything but an input error is a finding.

``targets`` says what is attacked and with which samples, ``mutations`` how samples are damaged, ``campaign`` is the
experiment, ``child`` the process that a campaign runs for each target.
"""
