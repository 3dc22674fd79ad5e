"""Lists of JSON and objects that follow each other: every value comes, and no fault passes for an end."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.bulk.inputs.json_values import json_values
from dupgroups.errors import InputError

ROWS = [{"id": number, "text": 'a "b" [c] {d}, ' * number} for number in range(5)]
LINES = [json.dumps(row) for row in ROWS]


class Slow(io.StringIO):
    """Gives three characters, and each time as many more as it has given."""

    def read(self, size: int | None = -1, /) -> str:
        return super().read(max(3, self.tell()))


at_any_speed = pytest.mark.parametrize("file", [Slow, io.StringIO])


@at_any_speed
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        "[\n" + ",\n".join(LINES) + "\n]",
        "[\n" + ",\n".join(LINES[:2]) + "\n][\n" + ",\n".join(LINES[2:]) + "\n]\n",
        "".join(LINES),
        "\n".join(json.dumps(row, indent=2) for row in ROWS),
    ],
)
def test_values_of_every_layout_come_in_order(file: type[io.StringIO], text: str) -> None:
    assert list(json_values(file(text))) == ROWS


@at_any_speed
@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        (json.dumps(ROWS)[:-1], 5, "the list is cut off after 5 values"),
        (json.dumps(ROWS)[:-30], 4, "it is not JSON .* after 4 values"),
        ("[" + LINES[1] + ", nonsense, " + LINES[2] + "]", 1, "it is not JSON .* after 1 values"),
        ("[" + "[" * 10, 0, "the list is cut off after 0 values"),
        ('[{"a": ' + "[" * 100_000, 0, "after 0 values"),
    ],
)
def test_a_fault_ends_it_with_a_sentence(
    file: type[io.StringIO], text: str, number: int, sentence: str
) -> None:
    values = json_values(file(text))
    assert len([next(values) for _ in range(number)]) == number
    with pytest.raises(InputError, match=sentence):
        next(values)


TREES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(), TREES, max_size=3), max_size=4)


@given(rows=OBJECTS, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_any_list_is_read_as_it_was_written(rows: list[object], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(rows, indent=indent, ensure_ascii=ascii_only)
    assert list(json_values(Slow(text))) == list(json_values(io.StringIO(text))) == rows
