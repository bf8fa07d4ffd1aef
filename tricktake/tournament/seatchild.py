"""The child process of one player at one seat.

It receives views (pickles from the referee, which it trusts) and answers each with one line of JSON. It holds no deal,
no game id and no seed but that of the decision. Standard input and output of the strategy are not these channels: its
input is empty, its output is captured separately. Its parent is not the referee but a keeper.

Started as ``python -m tricktake.tournament.seatchild ANSWERS`` with requests on standard input; see seatprocess.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import struct
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from tricktake.pool import die_with_parent, ignore_stops

if TYPE_CHECKING:
    from tricktake.strategies.strategy import Decision

LENGTH = struct.Struct("<Q")


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _read(requests: BinaryIO) -> Any:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return pickle.loads(requests.read(LENGTH.unpack(head)[0]))


def _play_below_a_keeper(answers: int) -> None:
    """Go on in a child of this process, which from now on only waits for it and ends as it does.

    A strategy that kills its parent so kills the keeper, and with it itself, instead of the referee.
    """
    keeper, child = os.getpid(), os.fork()
    if child == 0:
        die_with_parent()
        if os.getppid() != keeper:
            os._exit(1)
        return
    for stream in (0, 1, 2, answers):  # that they are closed when the player closes them
        os.close(stream)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        with contextlib.suppress(OSError):  # of SIGKILL
            signal.signal(-code, signal.SIG_DFL)
        os.kill(keeper, -code)
    os._exit(code)


def main() -> None:
    die_with_parent()
    ignore_stops()
    answers = int(sys.argv[1])
    _play_below_a_keeper(answers)
    requests = os.fdopen(os.dup(0), "rb")
    os.set_inheritable(answers, False)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def answer(**fields: Any) -> None:
        data = json.dumps(fields).encode() + b"\n"
        while data:
            data = data[os.write(answers, data) :]

    start = _read(requests)
    sys.path[:] = start["path"]
    _limit_memory(start["memory_mb"])
    # Not before the path and the memory limit are set: what is imported from here on belongs to the player.
    if start["kernels"] is not None:
        from tricktake.tournament.sandbox import link_kernels

        link_kernels(start["kernels"])
    from tricktake.child import Fault
    from tricktake.tournament.seat import describe, trace_tail

    try:
        import numpy as np

        from tricktake.strategies.strategy import METHODS, Decision, listens, tell

        player = start["player"].make()
        limit = start["player"].limit
    except Exception as error:
        answer(n=0, failed=describe(error), trace=trace_tail(error))
        return
    answer(n=0, listens=[method for method in METHODS if listens(player, method)])
    number = 0
    while True:
        try:
            request, *facts = _read(requests)
        except EOFError:
            return
        number += 1
        if request != "decide":
            try:
                tell(player, request, *facts)
            except Fault as fault:
                answer(n=number, error=fault.reason, kind=fault.kind, trace=fault.trace)
            except Exception as error:
                answer(n=number, error=describe(error), trace=trace_tail(error))
            else:
                answer(n=number)
            continue
        view, seed = facts
        try:
            decision = player.decide(view, limit, np.random.default_rng(seed))
        except Fault as fault:
            answer(n=number, error=fault.reason, kind=fault.kind, trace=fault.trace)
            continue
        except Exception as error:
            answer(n=number, error=describe(error), trace=trace_tail(error))
            continue
        if not isinstance(decision, Decision):
            answer(n=number, garbled=f"returned a {type(decision).__name__}, not a Decision")
            continue
        try:
            said = _said(decision)
        except Exception as error:  # an action or reason that is something else
            said = {"garbled": describe(error)}
        answer(n=number, **said)


def _said(decision: Decision) -> dict[str, Any]:
    """A decision as JSON. Raises whatever its action raises if that is something else."""
    action = decision.action
    return {
        "verb": str(action.verb),
        "value": str(action.value),
        "cards": [int(card) for card in action.cards],
        "reason": str(decision.reason),
        "failed": [str(line) for line in decision.failed],
    }


if __name__ == "__main__":
    main()
