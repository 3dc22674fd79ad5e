"""Files of arrays: whole or not at all."""

from __future__ import annotations

import struct
import tracemalloc
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.methods import npz


class Broken:
    """What numpy cannot write."""

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("compressed", [True, False])
def test_a_write_that_fails_keeps_the_file_that_was_there(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "words.npz"
    npz.save(path, {"a": np.arange(3)}, compressed=compressed)
    with pytest.raises(OSError, match="No space"):
        npz.save(path, {"a": np.arange(4), "b": Broken()}, compressed=compressed)
    assert npz.read(path, "words", lambda of: of["a"].tolist()) == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_what_is_wrong_with_a_file_and_never_how_to_load_it_unsafely(tmp_path: Path) -> None:
    path = tmp_path / "junk"
    path.write_bytes(b"\xf0junk")
    with pytest.raises(
        ConfigError, match=r"words: cannot read '.*junk': it is not a file of words"
    ) as caught:
        npz.read(path, "words", dict)
    assert "pickle" not in str(caught.value)
    with pytest.raises(ConfigError, match=r"No such file or directory$"):
        npz.read(tmp_path / "none", "words", dict)


def claiming(path: Path, shape: str, data: bytes, kind: str = "<u4") -> Path:
    """A file of one array that is said to be of this shape and holds these bytes."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
    return path


@pytest.mark.parametrize(
    ("shape", "data"),
    [
        ("(10000000000,)", b"abcd"),
        ("(100000, 100000)", b""),
        ("(-1,)", b""),
        ("(5_000_000,)", bytes(20_000_000)),  # which 20 kB unpack to
        ("[" * 500, b""),
    ],
)
def test_arrays_are_allocated_only_where_the_file_holds_them(tmp_path: Path, shape: str, data: bytes) -> None:
    path = claiming(tmp_path / "words.npz", shape, data)
    tracemalloc.start()
    try:
        with pytest.raises(ConfigError, match=r"words: cannot read '.*npz': it is not a file of words"):
            npz.read(path, "words", dict)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_or_read(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "words.npz"
    npz.save(path, {"a": np.arange(9), "b": np.array("x")}, compressed=data.draw(st.booleans()))
    damaged = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=8)):
        damaged[place] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged[: data.draw(st.just(len(damaged)) | st.integers(0, len(damaged)))])
    with suppress(ConfigError):
        npz.read(path, "words", dict)
