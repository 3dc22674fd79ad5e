"""What is special in Chinese text: the full stop, and the character right before it."""

from __future__ import annotations

import re

from dupgroups.text.words import fold

_PERIOD = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff])[。｡]")


def period_characters(text: str) -> str:
    """The Chinese characters that stand right before a full stop, in their order, in simplified form.

    A full stop after anything else (a closing quotation mark, a digit, a Latin letter) gives nothing, as in
    An and Cheng, section IV.B. "" for a text without full stops.

    >>> period_characters("他來了。「很好。」GDP。完了。")
    '了好了'
    """
    return "".join(_PERIOD.findall(fold(text)))
