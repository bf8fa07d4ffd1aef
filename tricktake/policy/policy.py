"""A policy: for each family of contracts a small network a role, as whole numbers, and what they came from.

The numbers are exact: the same view gets the same card on every machine, with and without the JIT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake._kernels import policy_net as net_kernel
from tricktake._kernels import policy_play as kernel
from tricktake._kernels.policy_simd import TOP
from tricktake.arrays import IntArray
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.game import Contract
from tricktake.policy.encoding import VERSION, Encoding
from tricktake.policy.positions import Batch, work_of
from tricktake.view import View

FIRST_MOST = 32767
EXACT = 1 << 24  # whole numbers below this are exact in a float32
FINEST = 4096  # units of a weight of the later layers, at most
LINE = 64  # bytes
PLAY = "play"  # the family of games without contracts
LANES = 64  # widths of the first layer are multiples of this, of the others of half of it


def family_name(contract: Contract | None) -> str:
    """The family of a contract where the game's ``Practice`` has no other word for it: its kind."""
    return PLAY if contract is None else contract.kind


def padded(n: int) -> int:
    """The next width the kernels take."""
    return -(-n // (LANES // 2)) * (LANES // 2)


def aligned(n: int, kind: type[Any]) -> NDArray[Any]:
    """Zeros that begin where a line of the cache does: vectors that lie across two lines are read more slowly."""
    size = n * np.dtype(kind).itemsize
    raw = np.zeros(size + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + size].view(kind)


@frozen(eq=False)
class Net:
    """One network. first: (inputs, hidden) int16. second: (hidden + 1, inner), third: (inner + 1, outputs), int32, the
    bias in the last row. units: what 1 is in the weights of the second and third layer, powers of two.
    """

    first: NDArray[np.int16]
    second: NDArray[np.int32]
    third: NDArray[np.int32]
    units: tuple[int, int]

    @classmethod
    def of_floats(cls, shape: Sequence[int] | NDArray[np.int64], weights: NDArray[np.float32]) -> Net:
        """The whole numbers nearest to learned weights, as fine as sums stay exact."""
        inputs, hidden, inner, outputs = (int(x) for x in shape[:4])
        parts = np.split(weights, np.cumsum([inputs * hidden, (hidden + 1) * inner]))
        unit = net_kernel.UNIT
        first = np.clip(np.rint(parts[0] * unit), -FIRST_MOST, FIRST_MOST).astype(np.int16).reshape(inputs, hidden)
        second, fine2 = _whole(parts[1].reshape(hidden + 1, inner))
        third, fine3 = _whole(parts[2][: (inner + 1) * outputs].reshape(inner + 1, outputs))
        return cls(first, second, third, (fine2, fine3))

    def floats(self) -> NDArray[np.float32]:
        """The weights as learning takes them."""
        unit = net_kernel.UNIT
        parts: list[NDArray[np.float32]] = [(self.first.astype(np.float32) / np.float32(unit)).ravel()]
        for layer, fine in zip((self.second, self.third), self.units, strict=True):
            scale = np.full((len(layer), 1), fine, np.float32)
            scale[-1] *= unit
            parts.append((layer / scale).ravel().astype(np.float32))
        return np.concatenate(parts)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All it is, by name."""
        return {
            "first": self.first,
            "second": self.second,
            "third": self.third,
            "units": np.array(self.units, np.int64),
        }

    @classmethod
    def of_arrays(cls, found: Mapping[str, NDArray[Any]]) -> Net:
        """What ``arrays`` gave. Raises ValueError if they are no layers."""
        kinds = {"first": np.int16, "second": np.int32, "third": np.int32}
        layers = {name: found[name] for name in kinds}
        if any(layer.ndim != 2 or layer.dtype != kinds[name] for name, layer in layers.items()):
            raise ValueError("layers of another type")
        if found["units"].shape != (2,):
            raise ValueError("units that are not two")
        return cls(**layers, units=(int(found["units"][0]), int(found["units"][1])))

    def check(self) -> Net:
        """Itself. Raises ValueError if its sums could be inexact or its shape is none the kernels take."""
        hidden, inner, outputs = self.first.shape[1], self.second.shape[1], self.third.shape[1]
        if self.second.shape[0] != hidden + 1 or self.third.shape[0] != inner + 1:
            raise ValueError("layers that do not fit each other")
        if hidden % LANES or inner % (LANES // 2) or outputs % (LANES // 2):
            raise ValueError(f"layers of {hidden}, {inner} and {outputs} numbers")
        for layer in (self.second, self.third):
            if _largest(layer.astype(np.int64)) >= EXACT:
                raise ValueError("weights so large that sums are not exact")
        if any(fine < 1 or fine & (fine - 1) for fine in self.units):
            raise ValueError("units that are no powers of two")
        return self

    @property
    def bytes(self) -> int:
        return self.first.nbytes + self.second.nbytes + self.third.nbytes


def _largest(layer: NDArray[np.int64]) -> int:
    """A bound of every partial sum of a layer."""
    return int((np.abs(layer[:-1]).sum(0) * int(TOP) + np.abs(layer[-1])).max())


def _whole(layer: NDArray[np.float32]) -> tuple[NDArray[np.int32], int]:
    fine = FINEST
    while True:
        scale = np.full((len(layer), 1), fine, np.float64)
        scale[-1] *= net_kernel.UNIT
        whole = np.rint(layer * scale).astype(np.int64)
        if _largest(whole) < EXACT or fine == 1:
            return whole.astype(np.int32), fine
        fine //= 2


@frozen(eq=False)
class Packed:
    """Networks of one shape as the kernels take them."""

    shape: NDArray[np.int64]
    first: NDArray[np.int16]
    rest: NDArray[np.float32]

    @classmethod
    def of(cls, nets: Sequence[Net]) -> Packed:
        """Raises ValueError for networks of different shapes."""
        if len({(n.first.shape, n.second.shape, n.third.shape) for n in nets}) != 1:
            raise ValueError("networks of different shapes")
        inputs, hidden = nets[0].first.shape
        inner, outputs = nets[0].second.shape[1], nets[0].third.shape[1]
        rest = net_kernel.HEAD + (hidden + 1) * inner + (inner + 1) * outputs
        shape = np.array([inputs, hidden, inner, outputs, inputs * hidden, rest], np.int64)
        packed = cls(shape, aligned(len(nets) * inputs * hidden, np.int16), aligned(len(nets) * rest, np.float32))
        for number, net in enumerate(nets):
            packed.put(number, net)
        return packed

    def check(self, encoding: Encoding, player: int) -> None:
        """Raises InputError unless kernels may use it for a game with players up to this number: they look nowhere
        else whether a file has the sizes of the game its key names.
        """
        inputs, outputs = int(self.shape[net_kernel.N_INPUTS]), int(self.shape[net_kernel.N_OUTPUTS])
        if inputs != encoding.inputs or outputs < encoding.cards:
            reason = f"{inputs} inputs and {outputs} outputs, the game has {encoding.inputs} and {encoding.cards} cards"
            raise InputError(None, None, "policy", f"networks of {reason}")
        number = len(self.rest) // int(self.shape[net_kernel.N_REST])
        if player >= number:
            raise InputError(None, None, "policy", f"it has {number} networks, the game needs number {player + 1}")

    def put(self, number: int, net: Net) -> None:
        """Replace one of the networks."""
        size, stride = int(self.shape[net_kernel.N_FIRST]), int(self.shape[net_kernel.N_REST])
        self.first[number * size : (number + 1) * size] = net.first.ravel()
        rest = self.rest[number * stride : (number + 1) * stride]
        rest[: net_kernel.HEAD] = 0
        rest[net_kernel.U_INNER] = 1 / net.units[0]
        rest[net_kernel.U_LOGIT] = 1 / (net.units[1] * net_kernel.UNIT)
        rest[net_kernel.HEAD :] = np.concatenate([net.second.ravel(), net.third.ravel()])


@frozen(eq=False)
class Family:
    """The networks for contracts that play alike: one a role, by how far a seat sits from the declarer.

    name: of the family ("suit"). key: of the encoding they were learned for.
    """

    name: str
    key: str
    nets: tuple[Net, ...]
    packed: Packed = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "packed", Packed.of([net.check() for net in self.nets]))

    @property
    def inputs(self) -> int:
        return int(self.packed.shape[net_kernel.N_INPUTS])

    def role(self, seat: int, declarer: int, seats: int) -> int:
        """The network of a seat; declarer -1: nobody declares."""
        return (seat - declarer) % seats if declarer >= 0 and len(self.nets) > 1 else 0

    def players(self, batch: Batch) -> IntArray:
        """The network of every seat in every game, (n, seats)."""
        return batch.roles() % len(self.nets)


@frozen
class Opinion:
    """What a policy makes of a decision. card: what it plays (deck index). numbers: the logit of every legal card."""

    card: int
    numbers: Mapping[int, float]

    def chances(self) -> dict[int, float]:
        """How likely every legal card is at the temperature the policy was learned at."""
        top = max(self.numbers.values())
        weights = {card: float(np.exp(number - top)) for card, number in self.numbers.items()}
        total = sum(weights.values())
        return {card: weight / total for card, weight in weights.items()}


@frozen(eq=False)
class Policy:
    """A policy for a game. families: by name. made: how it was made, for people and for doing it again."""

    game: str
    families: Mapping[str, Family]
    made: Mapping[str, Any] = field(factory=dict)
    version: int = VERSION

    def family_of(self, key: str, name: str | None = None) -> Family | None:
        """The family learned for an encoding, if there is one. Where several play by the same rules (Null, closed and
        open) the one called ``name`` goes first.
        """
        found = [family for family in self.families.values() if family.key == key]
        return next((family for family in found if family.name == name), found[0] if found else None)

    def family_at(self, view: View) -> Family | None:
        """The family that plays a view, if there is one: that of its contract, or one learned for the same rules."""
        if view.rules is None:
            return None
        return self.family_of(Encoding.of(view.rules).key, family_name(view.contract))

    def knows(self, view: View) -> bool:
        """Whether it has learned the contract of a view."""
        return self.family_at(view) is not None

    def opinion(self, view: View, heat: float = 0.0, draw: int = 1) -> Opinion:
        """What it makes of a view: it plays the best card, or with ``heat`` above 0 one drawn with the number ``draw``.

        Raises InputError if the policy has no family for the contract, ValueError outside the play.
        """
        encoding, family, w = self._at(view)
        packed, role = family.packed, family.role(view.turn, _declarer(view), encoding.seats)
        packed.check(encoding, role)
        card, values = kernel.choose_work(w, packed.shape, packed.first, packed.rest, role, heat, draw)
        unit = packed.rest[role * int(packed.shape[net_kernel.N_REST]) + net_kernel.U_LOGIT]
        shown, from_deck = kernel.shown_cards(w), encoding.compiled.from_deck
        numbers = {c: float(values[shown[from_deck[c]]] * unit) for c in bits(view.legal_cards_mask())}
        return Opinion(int(encoding.compiled.to_deck[card]), numbers)

    def chances(self, view: View) -> dict[int, float]:
        """``Opinion.chances`` of a view. Raises as ``opinion`` does."""
        return self.opinion(view).chances()

    def numbers(self, view: View) -> Mapping[int, float]:
        """``Opinion.numbers`` of a view. Raises as ``opinion`` does."""
        return self.opinion(view).numbers

    def card(self, view: View, heat: float = 0.0, draw: int = 1) -> int:
        """``Opinion.card`` of a view. Raises as ``opinion`` does."""
        return self.opinion(view, heat, draw).card

    def _at(self, view: View) -> tuple[Encoding, Family, NDArray[np.int64]]:
        if view.rules is None:
            raise ValueError(f"a policy plays cards, not in phase {view.phase}")
        encoding = Encoding.of(view.rules)
        family = self.family_at(view)
        if family is None:
            known = ", ".join(self.families)
            raise InputError(None, None, "policy", f"knows {known} of {self.game}, and not what is played here")
        return encoding, family, work_of(view, encoding)


def _declarer(view: View) -> int:
    return -1 if view.contract is None else view.contract.declarer
