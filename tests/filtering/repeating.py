"""A writer that may die at any moment: python repeating.py PORT INDEX PILE ANSWERED.

It sends the bulks of PILE from the first one on that is not noted in ANSWERED, where it adds a byte for each
one that is answered without an error. What is not, is sent again.
"""

from __future__ import annotations

import http.client
import json
import sys
from pathlib import Path


def main(port: str, index: str, pile: str, answered: str) -> None:
    """Send what is left."""
    with Path(answered).open("ab") as notes:
        for lines in json.loads(Path(pile).read_text(encoding="utf-8"))[notes.tell() :]:
            body = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
            while not _is_answered(int(port), index, body):
                pass
            notes.write(b".")
            notes.flush()


def _is_answered(port: int, index: str, body: bytes) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", f"/{index}/_bulk", body, {"Content-Type": "application/x-ndjson"})
        answer = connection.getresponse()
        return answer.status == 200 and not json.loads(answer.read())["errors"]
    finally:
        connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
