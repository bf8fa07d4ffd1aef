"""What a server allows: sizes, rates and numbers, in one place."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen, validators

_positive: Any = validators.gt(0)


@frozen
class Limits:
    """Bounds on what clients may send and have.

    message: bytes of one message of a client. upload: bytes of a file of records. rate, burst: messages a second of a
    connection that are answered, and how many at once; more wait. connections, of_account: at a time, in all and of one
    account. tables: that are not over, in all; own: of one account. games: of a series. name: characters of a name.
    records: of an upload that are read. watching: tables one connection looks at.
    behind: seconds a client may leave what is sent to it unread before it is disconnected.
    """

    message: int = field(default=1 << 14, validator=_positive)
    upload: int = field(default=1 << 20, validator=_positive)
    rate: float = field(default=20.0, validator=_positive)
    burst: int = field(default=60, validator=_positive)
    connections: int = field(default=1000, validator=_positive)
    of_account: int = field(default=8, validator=_positive)
    tables: int = field(default=250, validator=_positive)
    own: int = field(default=20, validator=_positive)
    games: int = field(default=360, validator=_positive)
    name: int = field(default=24, validator=_positive)
    records: int = field(default=200, validator=_positive)
    watching: int = field(default=4, validator=_positive)
    behind: float = field(default=30.0, validator=_positive)
