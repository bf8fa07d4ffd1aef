"""Learning a policy: the gradient of what the softmax of its numbers is worth, every card being known (all-action
policy
gradient: Sutton et al. 2000), through sparse inputs, with Adam.

Weights are float32, flat: a row for each input, the second and the third layer with their biases. Activations are
clipped to 0..4 as those of the network that plays (``policy_net``).
"""

import numpy as np

from tricktake._kernels._jit import lean, lowbit_index, njit, popcount
from tricktake._kernels.policy_net import N_HIDDEN, N_INNER, N_INPUTS, N_OUTPUTS
from tricktake._kernels.policy_play import MOST_INPUTS
from tricktake._kernels.policy_simd import adam, add_outer, add_to_rows, dense, dense_back, sum_rows_float

CLIP = 4.0
KEEP1, KEEP2, TINY = 0.9, 0.999, 1e-8  # of Adam, as published


@lean
def clipped(x, n, out):
    """The activations of sums."""
    for j in range(n):
        value = x[j]
        value = value if value > 0 else np.float32(0)
        out[j] = value if value < CLIP else np.float32(CLIP)


@lean
def stopped(x, n, gradient):
    """No gradient where a sum was clipped."""
    for j in range(n):
        if x[j] <= 0 or x[j] >= CLIP:
            gradient[j] = 0


@lean
def softmax_gradient(logits, outputs, legal, gains, entropy, even, share, out):
    """The gradient of -share * (sum p gain + entropy * H) by the logits; the value of the decision, sum p gain.

    even: how far p, where it weighs the advantages, is moved towards equal chances: 1 gives replicator dynamics in
    place of the policy gradient (Hennes et al. 2020). Where the gradient is zero stays the same.
    """
    top, mask, found = np.float64(0), legal, False
    while mask:
        a = lowbit_index(mask)
        mask &= mask - 1
        if not found or logits[a] > top:
            top, found = np.float64(logits[a]), True
    for a in range(outputs):
        out[a] = 0
    total, mask = 0.0, legal
    while mask:
        a = lowbit_index(mask)
        mask &= mask - 1
        p = np.exp(logits[a] - top)
        out[a] = p
        total += p
    value, mask = 0.0, legal
    while mask:
        a = lowbit_index(mask)
        mask &= mask - 1
        value += out[a] * gains[a] / total
    # The entropy is log total - mean, the log of p is logit - top - log total: their sum needs no logarithm.
    equal, middle, mask = even / popcount(legal), 0.0, legal  # middle: of the advantages, so weighed
    while mask:
        a = lowbit_index(mask)
        mask &= mask - 1
        out[a] = (1 - even) * out[a] / total + equal
        middle += out[a] * (gains[a] - entropy * (logits[a] - top))
    while legal:
        a = lowbit_index(legal)
        legal &= legal - 1
        out[a] = -share * out[a] * (gains[a] - entropy * (logits[a] - top) - middle)
    return value


@lean
def turn(weights, at, n_in, n_out, turned):
    """W of a layer turned round: its columns one behind the other, at the same place."""
    for i in range(n_in):
        for j in range(n_out):
            turned[at + j * n_in + i] = weights[at + i * n_out + j]


@njit
def gradients(shape, weights, seen, counts, legals, gains, chosen, entropy, even, gradient):
    """Add the gradient of the mean loss of the ``chosen`` samples to ``gradient``; the sum of their values."""
    inputs, hidden, inner, outputs = shape[N_INPUTS], shape[N_HIDDEN], shape[N_INNER], shape[N_OUTPUTS]
    second = inputs * hidden
    third = second + (hidden + 1) * inner
    index = np.zeros(MOST_INPUTS, np.int64)
    sums1, on1, back1 = np.zeros(hidden, np.float32), np.zeros(hidden, np.float32), np.zeros(hidden, np.float32)
    sums2, on2, back2 = np.zeros(inner, np.float32), np.zeros(inner, np.float32), np.zeros(inner, np.float32)
    logits, back3 = np.zeros(outputs, np.float32), np.zeros(outputs, np.float32)
    turned = np.zeros(third + (inner + 1) * outputs - second, np.float32)
    tail = weights[second:]
    turn(tail, 0, hidden, inner, turned)
    turn(tail, third - second, inner, outputs, turned)
    total = 0.0
    for i in chosen:
        n = np.int64(counts[i])
        for k in range(n):
            index[k] = seen[i, k]
        sum_rows_float(weights, 0, hidden, index, n, sums1)
        clipped(sums1, hidden, on1)
        dense(weights, second, hidden, inner, on1, sums2)
        clipped(sums2, inner, on2)
        dense(weights, third, inner, outputs, on2, logits)
        total += softmax_gradient(logits, outputs, legals[i], gains[i], entropy, even, 1.0 / len(chosen), back3)
        dense_back(turned, third - second, inner, outputs, back3, back2)
        stopped(sums2, inner, back2)
        dense_back(turned, 0, hidden, inner, back2, back1)
        stopped(sums1, hidden, back1)
        add_outer(gradient, third, inner, outputs, on2, back3)
        add_outer(gradient, second, hidden, inner, on1, back2)
        add_to_rows(gradient, 0, hidden, index, n, back1)
    return total


@njit
def power(base, times):
    """``base`` ** ``times``, times >= 0, by squaring as numba does it, whose own brings the name of its file along."""
    found = 1.0
    while times:
        if times & 1:
            found *= base
        times >>= 1
        base *= base
    return found


@njit
def learn(
    shape, weights, first, second, gradient, seen, counts, legals, gains, order, batch, rate, entropy, even, step
):
    """A step of Adam for every ``batch`` samples of ``order``, the first being number ``step``; the mean value."""
    total, done = 0.0, 0
    while done + batch <= len(order):
        total += gradients(
            shape, weights, seen, counts, legals, gains, order[done : done + batch], entropy, even, gradient
        )
        done += batch
        corrected = rate * np.sqrt(1 - power(KEEP2, step)) / (1 - power(KEEP1, step))
        adam(weights, first, second, gradient, len(weights), corrected, KEEP1, KEEP2, TINY)
        step += 1
    return total / done if done else 0.0
