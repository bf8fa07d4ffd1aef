"""What a plugin may use of the kernels of policies: their networks in its own kernels, and the words of a position."""

from tricktake._kernels import policy_layout as layout
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_OUTPUTS, N_REST, U_LOGIT, forward, small_exp

__all__ = [
    "N_HIDDEN",
    "N_INNER",
    "N_OUTPUTS",
    "N_REST",
    "U_LOGIT",
    "forward",
    "layout",
    "small_exp",
]
