"""Overlap factors of two feature strings.

An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance, section IV. With n the
length of the shorter string (Sour) and m of the longer one (Dest), LCC = m - edit(Sour, Dest) is the number
of characters that need not change (definition 2), and the overlap factors are LCC / n and LCC / m (definition
3). The pages are duplicates when LCC / n >= alpha and LCC / m >= beta (definition 4). For two pages of one
host alpha grows by epsilon, because the pages of a site share the full stops of its template.

| field   | default | meaning |
|---------|---------|---|
| alpha   | 0.8     | minimum overlap with the shorter string (rho in table III, see below) |
| beta    | 0.5     | minimum overlap with the longer string (the paper gives only beta <= alpha) |
| epsilon | 0.2     | amount by which alpha grows when both pages are on one host (paper, table III) |
| near    | 0.5     | overlap with the shorter string from which two pages are reported as similar |

Table III gives 0.8 for "rho", which the text of the paper does not define, and has no alpha or beta. We read
rho as alpha. In the other reading it is beta; then alpha must be 0.8 too, because beta <= alpha and
alpha + epsilon <= 1: `overlap_factors beta=0.8`. `dup-groups evaluate period-string` measures both.

LCC of strings of 3 and 4 characters that differ by one insertion is 4 - 1 = 3:

>>> from dupgroups.model import Record, Signature
>>> from dupgroups_papers.verdicts.overlap_factors import OverlapFactors
>>> one, two = (
...     Record("x", "x", "", Signature("period_string", ("key",), string.encode("utf-16-le")))
...     for string in ("事人完", "事人了完")
... )
>>> verdict = OverlapFactors()(one, two)
>>> verdict.relation, verdict.score
('duplicate', 0.75)
"""

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from dupgroups.errors import ConfigError
from dupgroups.methods.signals import Signal
from dupgroups.methods.verdicts.base import grade, too_short
from dupgroups.model import Record, Relation, Verdict
from dupgroups_papers.verdicts.share import MeasuringJudge


@dataclass(frozen=True)
class OverlapFactors(MeasuringJudge):
    """Judges by the characters before full stops; the table above explains the fields."""

    alpha: float = 0.8
    beta: float = 0.5
    epsilon: float = 0.2
    near: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.beta <= self.alpha:
            raise ConfigError("beta must be above 0 and at most alpha")
        if self.epsilon < 0 or self.alpha + self.epsilon > 1 + 1e-9:
            raise ConfigError("epsilon must be at least 0, and alpha + epsilon at most 1")
        if not 0 < self.near <= self.alpha:
            raise ConfigError("near must be above 0 and at most alpha")

    def __call__(self, a: Record, b: Record) -> Verdict:
        """How `a` relates to `b`. The score is symmetric; copies have at least 0.5."""
        return too_short(a, b) or self.judge_measured(a, b, cut=True)[0]

    def judge_measured(
        self, a: Record, b: Record, *, cut: bool = False
    ) -> tuple[Verdict, tuple[Signal, ...]]:
        """See MeasuringJudge; with `cut`, an LCC that reaches no threshold counts as 0, which is faster."""
        one, two = (record.signature.body.decode("utf-16-le", "surrogatepass") for record in (a, b))
        short, long = sorted((len(one), len(two)))
        same_host = bool(a.host) and a.host == b.host
        alpha = min(1.0, self.alpha + self.epsilon) if same_host else self.alpha
        shared = lcc(one, two, min(short * self.near, long * self.beta) if cut else 0.0)
        shorter, longer = shared / short, shared / long
        reason = (
            f"{shared} characters before full stops agree: {shorter:.0%} of the shorter string "
            f"(a copy needs {alpha:.0%}), {longer:.0%} of the longer one."
        )
        score = min(grade(shorter, alpha), grade(longer, self.beta))
        relation: Relation = "near" if shorter >= self.near else "different"
        return Verdict("duplicate" if score >= 0.5 else relation, score, reason), (
            Signal("LCC / length of the shorter", shorter, alpha, "alpha" + " + epsilon" * same_host),
            Signal("LCC / length of the longer", longer, self.beta, "beta"),
            Signal("LCC / length of the shorter, to be similar", shorter, self.near, "near"),
        )


def lcc(a: str, b: str, least: float = 0.0) -> int:
    """The largest common number of characters: max(len) - edit distance; 0 when it is below `least`.

    >>> lcc("事人完", "事人了完")
    3
    """
    longest = max(len(a), len(b))
    allowed = longest - int(least)
    edits = Levenshtein.distance(a, b, score_cutoff=max(0, allowed))
    return longest - edits if edits <= allowed else 0
