"""Log records as JSON Lines, for tools that collect logs."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone
from typing import Literal

LogFormat = Literal["text", "json"]


class JsonLines(logging.Formatter):
    """One JSON object on one line for each record: `time` (ISO 8601, UTC), `level`, `logger`, `message`, and
    `error` with the traceback if there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line without its newline; characters beyond ASCII are escaped."""
        line = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)
