"""Kernels of Kermit."""
