"""The two cards a declarer puts away (SKAT-1 to 43): methods to choose them, and what they are made of.

``constraints`` what must not be discarded and why, ``features`` what is weighed, ``weights`` by how much
(``weights/*.toml``), ``chance`` who says how likely a win is, ``worth`` which game to declare, ``selection`` the
methods, ``discarder`` the strategy that uses them, ``explain`` and ``advice`` what it says.
"""
