"""The commit loop: what is overtaken is attempted again, after a pause, and what is done is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from dupgroups.errors import ConflictError, EngineError
from dupgroups.flow import commit_loop as module
from dupgroups.flow.commit_loop import Committed, commit, commit_whole, try_put

pytestmark = pytest.mark.usefixtures("pauses")
OVERTAKEN = ConflictError("others were faster", ids=["x"])
Step = tuple[str, bool]
"""The places that an attempt has done with, and whether it is overtaken."""


class Attempts:
    """Carries out some steps, and notes what it was given: the items, and whether the last was overtaken."""

    def __init__(self, *steps: Step) -> None:
        self._steps: Iterator[Step] = iter(steps)
        self.given: list[Step] = []

    def __call__(
        self, left: Mapping[int, str], again: bool
    ) -> tuple[Mapping[int, str], ConflictError | None]:
        self.given.append(("".join(left.values()), again))
        done, is_overtaken = next(self._steps)
        results = {place: item.upper() for place, item in left.items() if item in done}
        return results, OVERTAKEN if is_overtaken else None


@pytest.mark.parametrize(
    ("steps", "given", "waited"),
    [
        ([("abc", False)], [("abc", False)], 0),
        ([("ac", True), ("b", False)], [("abc", False), ("b", True)], 1),
        ([("", True), ("", True), ("abc", False)], [("abc", False), ("abc", True), ("abc", True)], 2),
        ([("a", False), ("bc", False)], [("abc", False), ("bc", False)], 0),
        ([("a", True), ("b", False), ("c", False)], [("abc", False), ("bc", True), ("c", False)], 1),
        ([("abc", True)], [("abc", False)], 0),
    ],
    ids=["at once", "one overtaken", "all of them twice", "cut", "overtaken and cut", "nothing left"],
)
def test_what_is_left_is_attempted_again(
    steps: list[Step], given: list[Step], waited: int, pauses: list[float]
) -> None:
    attempts = Attempts(*steps)
    assert commit("abc", attempts) == Committed({0: "A", 1: "B", 2: "C"})
    assert attempts.given == given
    assert len(pauses) == waited


def test_what_others_always_overtake_is_left_after_so_many_tries(pauses: list[float]) -> None:
    attempts = Attempts(("a", True), *[("", True)] * module.MAX_TRIES)
    assert commit("abc", attempts) == Committed({0: "A"}, OVERTAKEN)
    assert len(attempts.given) == module.MAX_TRIES
    assert len(pauses) == module.MAX_TRIES - 1
    assert all(0 <= pause <= module.PAUSE_SECONDS * number for number, pause in enumerate(pauses, start=1))
    assert max(pauses[-6:]) > module.PAUSE_SECONDS * 2, (
        "six draws below a ninth of what they may be: 1 in 500,000"
    )


def test_an_attempt_that_is_cut_is_not_a_try_that_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TRIES", 2)
    assert commit("abc", Attempts(("a", False), ("b", True), ("c", False))).conflict is None


def test_a_conflict_that_is_raised_concerns_everything() -> None:
    tried = []

    def attempt(again: bool) -> str:
        tried.append(again)
        if len(tried) < 3:
            raise OVERTAKEN
        return "done"

    assert commit_whole(attempt) == "done"
    assert tried == [False, True, True]


# -- what a store refuses


def raising(error: EngineError | None) -> None:
    if error:
        raise error


BOTH = ConflictError("others were faster", ids=["a", "b"], failures={"b": "no room"})


@pytest.mark.parametrize(
    ("error", "overtaken", "failures", "conflict"),
    [
        (None, set(), {}, None),
        (BOTH, {"a"}, {"b": "no room"}, BOTH),
        (EngineError("refused", failures={"b": "no room"}), set(), {"b": "no room"}, None),
    ],
    ids=["nothing", "one for good", "only for good"],
)
def test_what_was_refused_for_good_is_not_overtaken(
    error: EngineError | None, overtaken: set[str], failures: dict[str, str], conflict: ConflictError | None
) -> None:
    refusal = try_put(lambda: raising(error))
    assert (refusal.overtaken, refusal.failures, refusal.conflict) == (overtaken, failures, conflict)


@pytest.mark.parametrize("failures", [{}, {"": "no", "a": "no"}])
def test_a_call_that_is_refused_as_a_whole_is_an_error(failures: dict[str, str]) -> None:
    with pytest.raises(EngineError):
        try_put(lambda: raising(EngineError("refused", failures=failures)))
