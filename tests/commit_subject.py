"""Hold the subject of a commit to the rules: `python tests/commit_subject.py FILE`, or `-` for standard
input."""

import re
import sys
from pathlib import Path

MAX_CHARS = 72
# first words of statements about the world: "Fixes ...", "Added ...", "The page ...", "Tests are ..."
NOT_IMPERATIVE = re.compile(
    r"(?:(?!focus)\w+[^\Ws]s|(?!embed|feed|need|seed|shed|speed)\w+ed|(?!bring)\w+ing|a|an|it|the|no)\b",
    re.IGNORECASE,
)
MADE_BY_GIT = re.compile(r"Merge |Revert \"|fixup! |squash! ")


def problems(subject: str) -> list[str]:
    """Why a subject will not do, in sentences.

    >>> problems("Keep the import contracts in a file of their own")
    []
    >>> problems("Fixed the page; tests run faster.")
    ['begin with a verb in the imperative, not "Fixed"', 'one topic: no semicolon', 'no full stop at the end']
    """
    if MADE_BY_GIT.match(subject):
        return []
    first = subject.split(" ")[0].rstrip(":")
    rules = {
        f"{len(subject)} characters: at most {MAX_CHARS}": len(subject) > MAX_CHARS,
        "begin with a capital letter": not first[:1].isupper(),
        f'begin with a verb in the imperative, not "{first}"': bool(NOT_IMPERATIVE.fullmatch(first)),
        "one topic: no semicolon": ";" in subject,
        "no full stop at the end": subject.endswith("."),
    }
    return [sentence for sentence, is_broken in rules.items() if is_broken]


def main() -> None:
    text = sys.stdin.read() if sys.argv[1] == "-" else Path(sys.argv[1]).read_text(encoding="utf-8")
    subject = next((line for line in text.splitlines() if line and not line.startswith("#")), "")
    if found := problems(subject):
        sys.exit(f"{subject}\n  " + "\n  ".join(found))


if __name__ == "__main__":
    main()
