"""Files of arrays: whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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
