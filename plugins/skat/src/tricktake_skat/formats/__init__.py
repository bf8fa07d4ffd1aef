"""Notations of recorded Skat: the papers' series, the International Skat Server's, XSkat's log."""
