"""Why a record of a file is no document, where that is more than a fault in it."""

from __future__ import annotations

import re

from dupgroups.errors import InputError


class CutOffError(InputError):
    """The file ends inside the record."""


class NoPageError(InputError):
    """The record is whole, and meant to be no page: a request, a picture, an answer with another status."""


def reason_of(error: InputError) -> str:
    """Tell what is wrong as other records may have it too, without the address and the figures of this one.

    >>> reason_of(InputError("http://e/1: cut off: only 7 of 9 bytes are there"))
    'cut off'
    """
    said = re.sub(r"^\w+://\S+: ", "", str(error))
    return re.split(r" \(|: |, but ", said)[0].replace("it has ", "with ")
