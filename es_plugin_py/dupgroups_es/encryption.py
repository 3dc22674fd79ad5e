"""Ids of other documents in `dup_` fields, encrypted: for an index whose readers may not see all documents.

`dup_group` is the id of the document that names the group, and `dup_ties` are lines with ids of copies: who
may read one document learns the ids of others, which are often URLs. Encrypted, they only tell who is in one
group.

The encryption is deterministic, because searches collapse by `dup_group`, and reversible, so that nothing
else has to be stored: AES-SIV (RFC 5297). Ids are encrypted on their way to the cluster and decrypted on
their way back (see `Cluster`). The side indices, which only operators may read, keep plain ids.
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dupgroups.errors import ConfigError, require_extra

OPTION = "encrypt_ids"
FIELDS = frozenset({"dup_group", "dup_ties"})  # of a document, and of the queries for it
MIN_SECRET_BYTES = 32  # bytes of a secret, at least

_CONTEXT = b"dup-groups ids"  # whatever else the secret is used for has other keys


class PlainIds:
    """Ids as they are. `check` tells one key from another, and is kept in the mapping; None without a key."""

    check: str | None = None

    def encrypt_members(self, value: Any) -> Any:
        """JSON for the cluster, whose members named in FIELDS are encrypted: strings and lists of strings."""
        return value

    def decrypt_members(self, value: Any) -> Any:
        """JSON from the cluster, without those of these members that are not encrypted with this key."""
        return value


class EncryptedIds(PlainIds):
    """Ids encrypted with a secret of random bytes. Raises MissingExtraError."""

    def __init__(self, secret: bytes) -> None:
        with require_extra("encryption", f"The option {OPTION}"):
            from cryptography.exceptions import InvalidTag
            from cryptography.hazmat.primitives.ciphers.aead import AESSIV
            from cryptography.hazmat.primitives.hashes import SHA512
            from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        self._cipher = AESSIV(HKDF(SHA512(), length=64, salt=None, info=_CONTEXT).derive(secret))
        self._unreadable = (InvalidTag, ValueError, TypeError)
        self.check = self._encrypt("\0")  # which is no id

    def encrypt_members(self, value: Any) -> Any:
        """See PlainIds."""
        return _change_members(value, self._encrypt)

    def decrypt_members(self, value: Any) -> Any:
        """See PlainIds."""
        return _change_members(value, self._decrypt)

    def _encrypt(self, text: str) -> str:
        data = self._cipher.encrypt(text.encode("utf-8", "surrogatepass"), None)
        return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")

    def _decrypt(self, text: str) -> str | None:
        try:
            data = b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
            return self._cipher.decrypt(data, None).decode("utf-8", "surrogatepass")
        except self._unreadable:
            return None


def ids_of(file: str | None) -> PlainIds:
    """The ids of an index whose secret is in a file, if it has one. Raises ConfigError for a file that cannot
    be read, or is too short to be one.
    """
    if file is None:
        return PlainIds()
    try:
        secret = Path(file).read_bytes()
    except OSError as error:
        raise ConfigError(f"{OPTION}={file} cannot be read: {error.strerror}") from None
    if len(secret) < MIN_SECRET_BYTES:
        raise ConfigError(
            f"{OPTION}={file}: the file has {len(secret)} bytes; a secret needs at least "
            f"{MIN_SECRET_BYTES} random "
            f"ones: "
            f"make it with head -c {MIN_SECRET_BYTES} /dev/urandom"
        )
    return EncryptedIds(secret)


def _change_members(value: Any, change: Callable[[str], str | None]) -> Any:
    if isinstance(value, list):
        return [_change_members(part, change) for part in value]
    if not isinstance(value, dict):
        return value
    parts = {
        name: _member(part, change) if name in FIELDS else _change_members(part, change)
        for name, part in value.items()
    }
    return {name: part for name, part in parts.items() if part is not None or name not in FIELDS}


def _member(value: Any, change: Callable[[str], str | None]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        changed = [change(part) for part in value if isinstance(part, str)]
        return [part for part in changed if part is not None]
    return _change_members(value, change)  # not the field of a document, but of a mapping or of a sort
