"""Notations of Schafkopf records."""
