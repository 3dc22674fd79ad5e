"""The work folder of a run: what was begun, and a file for every part that is done.

    INDEX-20260304-050607/
        run.json         which index, up to where it is read, how it is signed, the step that the run is at
        0001.signed      the documents of a part, signed
        0001.grouped     where each of them belongs
        0001.written     the version that each of them was given
        frames           what the documents taught (see `dupgroups.methods.frames`)

A file appears under its name when it is complete. So a run that is killed goes on after the last complete
part, and no part is done twice. The folder is removed at the end of the run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import IO, Any, Literal

from dupgroups.errors import InputError
from dupgroups.methods.frames import Runs, decode_runs, encode_runs
from dupgroups_es.sliced import Positions, ShardSlice

if sys.platform != "win32":
    import fcntl

DEFAULT = Path("dupgroups-backfill")
MANIFEST, FRAMES = "run.json", "frames"

Step = Literal["signing", "grouping", "writing", "regrouping"]
Kind = Literal["signed", "grouped", "written"]


@dataclass(frozen=True, slots=True)
class Run:
    """The notes of a run. `name` is its folder; `started` is microseconds since 1970.

    `methods` stands for fields and configuration: a run goes on only with the same ones.
    """

    name: str
    index: str
    uuid: str
    methods: str
    started: int
    position: Positions
    parts: tuple[ShardSlice, ...]
    step: Step = "signing"
    documents: int = 0


class RunDirectory:
    """The folder of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, above: Path, run: Run) -> RunDirectory:
        """A new folder for a run, which may get another name. Raises InputError if it cannot be made."""
        numbers = (f"-{number}" if number > 1 else "" for number in count(1))
        folder = next(
            folder for end in numbers if not (folder := cls(above / f"{run.name}{end}")).path.exists()
        )
        with folder._report_write_errors():
            folder.path.mkdir(parents=True)
        folder.note(replace(run, name=folder.path.name))
        return folder

    @property
    def run(self) -> Run:
        """Read the notes. Raises InputError for a damaged one."""
        path = self.path / MANIFEST
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            return Run(**{**values, "parts": tuple(ShardSlice(*part) for part in values["parts"])})
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(
                f"{path} does not describe a run: remove the folder, or name another one"
            ) from None

    def note(self, run: Run) -> None:
        with self._replacing(MANIFEST) as file:
            json.dump(asdict(run), file)

    def at(self, step: Step, **changes: Any) -> Run:
        """Note that the run has come to this step."""
        run = replace(self.run, step=step, **changes)
        self.note(run)
        return run

    def keep_frames(self, runs: Runs) -> None:
        """Keep the runs of the frames that are known."""
        with self._replacing(FRAMES) as file:
            file.write(encode_runs(runs))

    def read_frames(self) -> Runs:
        return decode_runs((self.path / FRAMES).read_text(encoding="utf-8"))

    @property
    def numbers(self) -> range:
        return range(len(self.run.parts))

    def file(self, number: int, kind: Kind) -> Path:
        return self.path / f"{number:04}.{kind}"

    def missing(self, kind: Kind) -> list[int]:
        """The parts that are not done yet."""
        return [number for number in self.numbers if not self.file(number, kind).exists()]

    def count_done(self, kind: Kind) -> int:
        return len(self.numbers) - len(self.missing(kind))

    def remove_drafts(self) -> None:
        """Remove what processes that were killed left half written, before others begin."""
        for path in self.path.glob("*.*.*"):
            if path.suffix[1:].isdigit():
                path.unlink(missing_ok=True)
        for path in self.path.glob("dup-groups-*"):
            shutil.rmtree(path)

    @contextmanager
    def writing(self, number: int, kind: Kind) -> Iterator[IO[str]]:
        """A file that appears under its name at the end, or not at all."""
        with self._replacing(self.file(number, kind).name) as file:
            yield file

    def remove(self) -> None:
        """Remove the folder of a run that is done, or given up, and the default one above it, if empty."""
        (self.path / MANIFEST).unlink()  # first, so that nobody goes on with what a death leaves
        shutil.rmtree(self.path)
        if self.path.parent.name == DEFAULT.name:
            with suppress(OSError):  # other runs are in it
                self.path.parent.rmdir()

    @contextmanager
    def _replacing(self, name: str) -> Iterator[IO[str]]:
        path = self.path / name
        draft = path.with_name(f"{name}.{os.getpid()}")
        with self._report_write_errors():
            with draft.open("w", encoding="utf-8", errors="surrogatepass") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)

    @contextmanager
    def _report_write_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"the work folder {self.path} cannot be written ({error.strerror or error}): make room, or "
                "choose another by --work, or by TMPDIR for a dry run"
            ) from None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes out. Raises InputError while one is at work."""
        with (self.path / "lock").open("w") as file:
            if sys.platform != "win32":
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise InputError(f"another process is using {self.path}: wait until it ends") from None
            yield


def folders(above: Path) -> list[RunDirectory]:
    """The folders of all runs, the oldest first; [] where there is none."""
    directories = [RunDirectory(path.parent) for path in above.glob(f"*/{MANIFEST}")]
    return sorted(directories, key=lambda folder: folder.run.started)
