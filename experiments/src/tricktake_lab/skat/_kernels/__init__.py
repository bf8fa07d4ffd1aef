"""Kernels of the experiments on Skat."""
