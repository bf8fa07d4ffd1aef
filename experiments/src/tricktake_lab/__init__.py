"""The laboratory of tricktake: the experiments behind shipped weights and published numbers.

The product never imports it; it reads what experiments wrote.
"""
