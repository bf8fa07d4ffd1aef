"""Accounts: names, tokens that prove them, and invitations to make one.

A token is a random number of 256 bits that only its owner has; the store keeps its SHA-256, from which it cannot be
found again. It travels in the part of a link after ``#``, which browsers do not send, and in the first message.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata

from tricktake.errors import InputError
from tricktake.server.limits import Limits
from tricktake.server.store import Account, Store

BYTES = 32
HOST = "host"


def hashed(token: str) -> str:
    """What the store keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def proper_name(text: object, limits: Limits) -> str:
    """A name as it is kept: no control or formatting characters, single blanks, not too long. Raises InputError."""
    if not isinstance(text, str):
        raise InputError(None, None, "name", "must be text")
    name = " ".join(unicodedata.normalize("NFKC", text[: 4 * limits.name]).split())
    if not name or len(name) > limits.name:
        raise InputError(None, None, "name", f"must have 1 to {limits.name} characters")
    if ":" in name:  # names of the server's own bots have one
        raise InputError(None, None, "name", "may have no colon")
    if any(unicodedata.category(c)[0] == "C" for c in name):
        raise InputError(None, None, "name", "has characters that cannot be seen")
    return name


class Accounts:
    """The accounts of a store."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self.store, self.limits = store, limits
        self.by_id = {account.id: account for account in store.accounts()}

    def host_token(self) -> str:
        """A new token of the host's account, which is made if there is none; older ones are worth nothing then."""
        token = secrets.token_urlsafe(BYTES)
        host = next((account for account in self.by_id.values() if account.host), None)
        if host is None:
            self._known(self.store.add_account(HOST, hashed(token), host=True))
        else:
            self.store.change_token(host.id, hashed(token))
        return token

    def add(self, name: str, *, bot: bool = False) -> tuple[Account, str]:
        """A new account and its token. Raises InputError for a name that is taken or improper."""
        token = secrets.token_urlsafe(BYTES)
        account = self.store.add_account(proper_name(name, self.limits), hashed(token), bot=bot)
        return self._known(account), token

    def of(self, token: object) -> Account | None:
        """The account a token proves."""
        return self.store.account_of(hashed(token)) if isinstance(token, str) and token else None

    def of_header(self, text: str) -> Account:
        """The account of a header ``Authorization: Bearer TOKEN``. Raises InputError."""
        scheme, _, token = text.partition(" ")
        account = self.of(token) if scheme.lower() == "bearer" else None
        if account is None:
            raise InputError(None, None, "authorization", "needs the token of an account")
        return account

    def invite(self, uses: int = 1, *, bot: bool = False) -> str:
        """The code of a new invitation for so many accounts."""
        code = secrets.token_urlsafe(BYTES)
        self.store.add_invitation(hashed(code), uses, bot=bot)
        return code

    def redeem(self, code: object, name: object) -> tuple[Account, str]:
        """A new account for an invitation, and its token. Raises InputError."""
        if not isinstance(code, str):
            raise InputError(None, None, "invitation", "must be text")
        token = secrets.token_urlsafe(BYTES)
        account = self.store.redeem(hashed(code), proper_name(name, self.limits), hashed(token))
        return self._known(account), token

    def _known(self, account: Account) -> Account:
        self.by_id[account.id] = account
        return account
