"""Arrays that may be larger than memory: what does not fit is written to a temporary folder.

A small corpus touches no disk: nothing is written before an array holds more bytes than it may keep.
"""

from __future__ import annotations

import builtins
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dupgroups.errors import InputError

MEMORY_FRACTION = 8  # of the memory for each array: a corpus has four, which are copied to be read
Array = NDArray[Any]


class Scratch:
    """A temporary folder, which is made when something is written, and removed at the end.

    `memory`: bytes that all arrays together use, about. `folder`: where the temporary folder is made; None
    is that of the system.
    """

    def __init__(self, memory: int, folder: Path | None = None) -> None:
        self.share = memory // MEMORY_FRACTION
        self._memory, self._folder = memory, folder
        self._made: tempfile.TemporaryDirectory[str] | None = None

    def open_another(self) -> Scratch:
        """One of as much memory, in the same place, for arrays that are needed beside these for a while."""
        return Scratch(self._memory, self._folder)

    def append(self, name: str, arrays: Iterable[Array]) -> Path:
        """Write arrays at the end of a file. Raises InputError if that is impossible, for a full disk say."""
        try:
            if self._made is None:
                self._made = tempfile.TemporaryDirectory(prefix="dup-groups-", dir=self._folder)
            path = Path(self._made.name) / name
            with path.open("ab") as file:
                for array in arrays:
                    file.write(np.ascontiguousarray(array).data)
            return path
        except OSError as error:
            place = self._folder or Path(tempfile.gettempdir())
            raise InputError(
                f"{place} cannot hold the data that does not fit into memory ({error.strerror or error}): "
                "name a folder with more space with --temp, or give more --memory"
            ) from error

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self._made:
            self._made.cleanup()


class DiskArray:
    """One long array that is only appended to, then read anywhere. Nothing can be added after reading."""

    def __init__(self, scratch: Scratch, name: str, dtype: DTypeLike) -> None:
        self._scratch, self._name, self._dtype = scratch, name, np.dtype(dtype)
        self._kept: list[Array] = []
        self._bytes = 0
        self._path: Path | None = None
        self._read: Array | None = None

    def append(self, values: Array) -> None:
        """Add values at the end."""
        self._kept.append(np.asarray(values, self._dtype))
        self._bytes += self._kept[-1].nbytes
        if self._bytes > self._scratch.share:
            self._write()

    @property
    def values(self) -> Array:
        """All values; those of a file are read when they are looked at."""
        if self._read is None:
            if self._path and self._kept:
                self._write()
            if self._path:
                self._read = np.memmap(self._path, self._dtype, "r").view(np.ndarray)
            else:
                self._read = np.concatenate([np.empty(0, self._dtype), *self._kept])
            self._kept = []
        return self._read

    def release(self) -> None:
        """Give back the memory that looking at a file took."""
        if self._path:
            self._read = None

    def _write(self) -> None:
        self._path = self._scratch.append(self._name, self._kept)
        self._kept, self._bytes = [], 0


class Parts:
    """Rows of some columns, each in a part by its number, in the order in which they came."""

    def __init__(self, scratch: Scratch, name: str, *dtypes: DTypeLike) -> None:
        self._scratch, self._name = scratch, name
        self._dtypes = [np.dtype(dtype) for dtype in dtypes]
        self._kept: dict[int, list[list[Array]]] = {}
        self._bytes = 0
        self._paths: dict[tuple[int, int], Path] = {}

    @property
    def numbers(self) -> list[int]:
        """The parts that have rows, in order."""
        return sorted({*self._kept, *(part for part, _ in self._paths)})

    def add(self, parts: NDArray[np.uint16], *columns: Array) -> None:
        """Add rows: the part of each, and one array for each column."""
        order = np.argsort(parts, kind="stable")  # sixteen bits are sorted by radix
        found, starts = np.unique(parts[order], return_index=True)
        ordered = [column[order].astype(dtype) for column, dtype in zip(columns, self._dtypes, strict=True)]
        split = (np.split(column, starts[1:]) for column in ordered)
        for part, *pieces in zip(found.tolist(), *split, strict=False):
            kept = self._kept.setdefault(part, [[] for _ in columns])
            for former, piece in zip(kept, pieces, strict=True):
                former.append(piece)
        self._bytes += sum(column.nbytes for column in ordered)
        if self._bytes > self._scratch.share:
            self._write()

    def pop(self, part: int) -> list[Array]:
        """The columns of a part, which is forgotten."""
        kept = self._kept.pop(part, [[] for _ in self._dtypes])
        columns = []
        for number, dtype in enumerate(self._dtypes):
            path = self._paths.pop((part, number), None)
            written = np.fromfile(path, dtype) if path else np.empty(0, dtype)
            columns.append(np.concatenate([written, *kept[number]]))
            if path:
                path.unlink()
        return columns

    def _write(self) -> None:
        for part, columns in self._kept.items():
            for number, pieces in enumerate(columns):
                name = f"{self._name}.{part}.{number}"
                self._paths[part, number] = self._scratch.append(name, pieces)
        self._kept, self._bytes = {}, 0


class Strings:
    """Many strings of bytes, numbered as they come: the bytes in one array, where each begins in memory."""

    def __init__(self, scratch: Scratch, name: str) -> None:
        self._array = DiskArray(scratch, name, np.uint8)
        self._sizes: list[NDArray[np.int64]] = []
        self._ends: NDArray[np.int64] | None = None

    def append(self, joined: bytes, sizes: NDArray[np.int64]) -> None:
        """Add strings: all of them joined, and the number of bytes of each."""
        self._array.append(np.frombuffer(joined, np.uint8))
        self._sizes.append(sizes)

    def extend(self, texts: Iterable[str]) -> None:
        """Add texts, as UTF-8."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.append(b"".join(encoded), np.array([len(text) for text in encoded], np.int64))

    @property
    def bytes(self) -> NDArray[np.uint8]:
        """All strings joined; `bounds` says where each begins and ends."""
        return self._array.values

    def bounds(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where these strings begin, and where they end."""
        if self._ends is None:
            self._ends = np.concatenate([np.zeros(1, np.int64), *self._sizes]).cumsum()
            self._sizes = []
        return self._ends[numbers], self._ends[numbers + 1]

    def take(self, numbers: NDArray[np.int64]) -> list[builtins.bytes]:
        """These strings, in the order of their numbers given."""
        view, (starts, ends) = self.bytes.data, self.bounds(numbers)
        return [view[start:end].tobytes() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def texts(self, numbers: NDArray[np.int64]) -> list[str]:
        """The same of texts that were added."""
        return [text.decode("utf-8", "surrogatepass") for text in self.take(numbers)]

    def release(self) -> None:
        """Give back the memory that looking at a file took."""
        self._array.release()
