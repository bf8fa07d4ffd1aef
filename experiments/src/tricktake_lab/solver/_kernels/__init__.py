"""Kernels of the experiments on the solver."""
