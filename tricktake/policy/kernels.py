"""What a plugin may use of the kernels of policies: networks in its own kernels, positions and their words."""

from tricktake._kernels import policy_layout as layout
from tricktake._kernels.play import CARDS
from tricktake._kernels.policy_encode import begin, encode, follow_card, legal_cards, setup
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_OUTPUTS, N_REST, U_LOGIT, forward, small_exp
from tricktake._kernels.policy_play import MOST_INPUTS
from tricktake._kernels.policy_train import learn

__all__ = [
    "CARDS",
    "MOST_INPUTS",
    "N_HIDDEN",
    "N_INNER",
    "N_OUTPUTS",
    "N_REST",
    "U_LOGIT",
    "begin",
    "encode",
    "follow_card",
    "forward",
    "layout",
    "learn",
    "legal_cards",
    "setup",
    "small_exp",
]
