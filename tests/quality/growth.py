"""Real documents in an order that is the same every time, and the candidates that a store gives for them."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dupgroups import Page
from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file

SEED = 20261126


def shuffled(files: Sequence[Path], seed: int = SEED) -> list[Page]:
    """Their documents in an order that is the same every time; of one id the last."""
    named = {
        page.id: page
        for path in files
        for page in PageReader(path, lambda fault: None, fields_of_file("html="))
    }
    return random.Random(seed).sample([*named.values()], len(named))


def counting(engine: Any) -> list[int]:
    """Count the candidates that this engine gives from now on; gives the counter."""
    counted, look_up = [0], engine.candidates

    def candidates(*given: Any, **named: Any) -> Any:
        found = look_up(*given, **named)
        counted[0] += sum(map(len, found))
        return found

    engine.candidates = candidates
    return counted
