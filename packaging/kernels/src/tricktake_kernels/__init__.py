"""Compiled kernels of tricktake, data only: a folder a level of processors, in it one a set of sources.

``tricktake._kernels._shelf`` reads them.
"""
