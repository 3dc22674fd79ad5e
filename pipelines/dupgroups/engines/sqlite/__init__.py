"""The embedded engine: documents in one SQLite file, or in memory."""

from dupgroups.engines.sqlite.embedded_engine import SQLiteEngine

__all__ = ["SQLiteEngine"]
