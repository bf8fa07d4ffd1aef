"""Putting two cards of twelve away (SKAT-1 to 43): the methods, and what they are made of.

``constraints`` what must not be put and why, ``theorem`` grands that are won by counting, ``features`` what is weighed,
``weights`` by how much (``weights/*.toml``), ``chance`` who says how likely a win is, ``worth`` which game to declare,
``selection`` the methods, ``parts`` players that use them, ``advice`` what ``tricktake advise skat`` tells.
"""
