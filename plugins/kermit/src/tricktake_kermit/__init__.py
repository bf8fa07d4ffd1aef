"""Kermit's evaluation, bidding and inference for Skat (docs/kermit.md)."""
