"""What the kernels of a plugin may use of those of policies: to play one in their own loops beside other players."""

from tricktake._kernels import policy_layout as layout
from tricktake._kernels.policy_encode import begin, follow_card, setup
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_OUTPUTS, N_REST, U_LOGIT, choose, forward, small_exp
from tricktake._kernels.policy_play import MOST_INPUTS, decided, gain_of

__all__ = [
    "MOST_INPUTS",
    "N_HIDDEN",
    "N_INNER",
    "N_OUTPUTS",
    "N_REST",
    "U_LOGIT",
    "begin",
    "choose",
    "decided",
    "follow_card",
    "forward",
    "gain_of",
    "layout",
    "setup",
    "small_exp",
]
