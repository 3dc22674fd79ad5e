"""Files of arrays: whole or not at all."""

from __future__ import annotations

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


def test_a_write_that_fails_keeps_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "words.npz"
    npz.save(path, {"a": np.arange(3)})
    with pytest.raises(OSError, match="No space"):
        npz.save(path, {"a": np.arange(4), "b": Broken()})
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


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_or_read(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "words.npz"
    npz.save(path, {"a": np.arange(9), "b": np.array("x")})
    damaged = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=8)):
        damaged[place] = data.draw(st.integers(0, 255))
    path.write_bytes(damaged[: data.draw(st.just(len(damaged)) | st.integers(0, len(damaged)))])
    with suppress(ConfigError):
        npz.read(path, "words", dict)
