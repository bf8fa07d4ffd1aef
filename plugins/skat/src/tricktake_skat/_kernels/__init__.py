"""Compiled Skat: card tables, hand evaluation, rules of play, and whole games of them."""
