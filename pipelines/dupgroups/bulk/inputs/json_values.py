"""Objects of JSON that do not stand on a line each: a list, or one object after another.

Scrapy writes such lists (`-O items.json`), pandas on one line, and `jq` objects of many lines. A list may be
larger than the memory. Lists that follow each other, as after two crawls with `-o`, are read as one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from dupgroups.errors import InputError

_PIECE_CHARS = 1_000_000  # characters that are read at a time, at least
_MAX_VALUE_CHARS = 100_000_000  # characters of a value
_VALUE_SEPARATORS = re.compile(r"[\s,\[\]]*")
_TAIL_CHARS = 16  # characters at the end of a piece, a fault in which may come from the cut


def json_values(text: TextIO, begun: str = "") -> Iterator[Any]:
    """The values in a text, of which the beginning has been read already.

    Raises InputError at a fault, after the values before it, and where a list is cut off.
    """
    decode = json.JSONDecoder().raw_decode
    depth = number = 0
    while True:
        place = 0
        while True:
            gap = _VALUE_SEPARATORS.match(begun, place)
            assert gap is not None
            depth += gap[0].count("[") - gap[0].count("]")
            place = gap.end()
            try:
                value, place = decode(begun, place)
            except (ValueError, RecursionError) as error:
                fault, at = error, getattr(error, "pos", -_TAIL_CHARS)
                break
            number += 1
            yield value
        # the fault may come from what is not read yet
        is_cut = str(fault).startswith("Unterminated string") or at >= len(begun) - _TAIL_CHARS
        is_cut = is_cut and len(begun) - place < _MAX_VALUE_CHARS
        begun = begun[place:]
        piece = text.read(max(_PIECE_CHARS, len(begun))) if is_cut else ""
        if not piece:
            break
        begun += piece
    if begun or depth > 0:
        what = f"it is not JSON ({fault})" if begun else "the list is cut off"
        raise InputError(f"{what} after {number:,} values")
