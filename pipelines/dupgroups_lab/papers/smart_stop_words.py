"""The stop list of the SMART retrieval system, which Alonso, Fetterly and Manasse use.

Salton: The SMART Retrieval System (1971); Salton and Buckley's list as Cornell University distributed it with
the system (ftp://ftp.cs.cornell.edu/pub/smart/english.stop), and as appendix 11 of Lewis, Yang, Rose, Li:
RCV1 (JMLR 5, 2004) prints it. The file there has 571 lines: one word stands in it twice.
"""

from __future__ import annotations

from pathlib import Path


def smart_stop_words() -> str:
    """The 570 words, separated by blanks. Words with an apostrophe are two tokens, as in any text."""
    return " ".join(Path(__file__).with_name("smart_stop_words.txt").read_text(encoding="utf-8").split())
