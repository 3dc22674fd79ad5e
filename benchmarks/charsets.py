"""How often pages in old charsets are decoded correctly when declared correctly, wrongly or not at all.

    python benchmarks/charsets.py PACK...

The pages of the packs are encoded in each charset, without their declarations; pages of pure ASCII are left
out. Decoding is right when at most one in fifty non-ASCII characters differs.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import opencc

from dupgroups.text.decoding import decode
from dupgroups_lab.labels.pages import LabelledPage, read_pack

CHARSETS = {
    "zh": ("gb18030", "big5hkscs"),
    "ja": ("cp932", "euc_jp"),
    "ko": ("cp949",),
    "ru": ("cp1251", "koi8-r"),
    "el": ("cp1253",),
    "pl": ("cp1250", "iso8859-2"),
    "tr": ("cp1254",),
}
LIES = (
    "gb18030 big5 shift_jis euc-jp euc-kr windows-1251 koi8-r windows-1253 windows-1250 windows-1252".split()
)
DECLARED = re.compile(r"""charset\s*=\s*["']?[\w-]+["']?""", re.IGNORECASE)
PAGES = 15  # of a charset that are decoded under every wrong declaration


def written(page: LabelledPage) -> Iterator[tuple[str, bytes]]:
    html = DECLARED.sub("", page.html)
    for charset in CHARSETS.get(page.language, ("cp1252",)):
        script = opencc.OpenCC("s2t").convert(html) if charset == "big5hkscs" else html
        data = script.encode(charset, "xmlcharrefreplace")
        if not data.isascii():
            yield charset, data


def right(read: str, wanted: str) -> bool:
    got, expected = (
        Counter(character for character in text if not character.isascii()) for text in (read, wanted)
    )
    return (got & expected).total() >= 0.98 * max(got.total(), expected.total())


def main(packs: list[str]) -> None:
    overruled: Counter[str] = Counter()
    pages: dict[str, list[bytes]] = defaultdict(list)
    for pack in packs:
        for page in read_pack(Path(pack)):
            for charset, data in written(page):
                pages[charset].append(data)
                overruled[charset] += decode(data, charset) != data.decode(charset)
    heads = [*LIES, "none"]
    print("written in", "pages", "overruled", *heads, sep="\t")
    for charset, encoded_pages in pages.items():
        sample = encoded_pages[:: -(-len(encoded_pages) // PAGES)]
        under = [
            sum(right(decode(data, lie), data.decode(charset)) for data in sample) for lie in (*LIES, None)
        ]
        counts = [f"{count}/{len(sample)}" for count in under]
        print(charset, len(encoded_pages), overruled[charset], *counts, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
