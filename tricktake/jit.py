"""For plugins with kernels of their own: put them in a folder ``_kernels`` of your package and import this.

Such modules import nothing but numpy, each other and this one, since only sources in that folder (and in the folders
of kernels they call) decide whether the compiled code on disk is still right.
"""

from tricktake._kernels._jit import announce_compile, highbit_index, kernel_cache, lowbit_index, njit, popcount

__all__ = ["announce_compile", "highbit_index", "kernel_cache", "lowbit_index", "njit", "popcount"]
