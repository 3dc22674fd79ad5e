"""The table of the Chinese characters that names are written with, `dupgroups/text/name_characters.txt`.

Names are the words that jieba tags as those of people, places, organisations and other things. A character is
listed if at least MIN_NAME_SHARE of its occurrences are in such words.
"""

from collections import Counter
from collections.abc import Iterable

from rjieba import Jieba

from dupgroups.errors import InputError
from dupgroups.text.facts import read_facts

MIN_NAME_SHARE = 0.15  # from .1 on are 24 % of the characters of 8,673 texts, and 86 % of those of names
ADDED_OCCURRENCES = 4  # without a name, that each character is given: rare ones are listed for several names
NAME_TAGS = ("nr", "ns", "nt", "nz")
LINE_CHARS = 100

_HEADING = "# The Chinese characters that names are often written with; made by `dup-groups train names`.\n"


def table_of_names(texts: Iterable[str]) -> str:
    """The lines of the table as counted in these texts, the commonest characters first; InputError if they
    have none.
    """
    seen, named = Counter[str](), Counter[str]()
    jieba = Jieba()
    for text in texts:
        for word, tag in jieba.tag("".join(read_facts(text).words)):
            seen.update(word)
            if tag.startswith(NAME_TAGS):
                named.update(word)
    kept = [
        one for one, count in named.most_common() if count >= MIN_NAME_SHARE * (seen[one] + ADDED_OCCURRENCES)
    ]
    han = "".join(one for one in kept if "\u4e00" <= one <= "\u9fff")
    if not han:
        raise InputError("no Chinese names are in these texts")
    return _HEADING + "".join(f"{han[at : at + LINE_CHARS]}\n" for at in range(0, len(han), LINE_CHARS))
