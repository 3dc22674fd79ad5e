"""The methods of a configuration as objects: the extractor, signer and judge of every language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from heapq import nsmallest
from types import MappingProxyType

from dupgroups.content import EXTRACTORS, Extractor
from dupgroups.content.article import MIN_ARTICLE_SCORE
from dupgroups.content.page_analysis import analyse
from dupgroups.errors import ConfigError
from dupgroups.flow.frame_log import LeftOut, list_left_out, read_frames
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.grouping_rule import MAX_COMPARED_TEXTS, GroupingRule
from dupgroups.methods.evidence import list_contradictions, measure
from dupgroups.methods.frames import NO_FRAMES, OF_TWO_DAYS, Frames, are_copies
from dupgroups.methods.method_choice import complete, names_judge, with_preset
from dupgroups.methods.registry import build
from dupgroups.methods.signals import Part, Signal
from dupgroups.methods.signatures import SIGNERS, Signer
from dupgroups.methods.signatures.base import part_keys_of, signatures_of
from dupgroups.methods.signatures.wrappers import Scoped, sign_in_scope
from dupgroups.methods.verdicts import JUDGES, Judge
from dupgroups.methods.verdicts.base import BatchPrefilter, Bodies, Explaining, TextJudge
from dupgroups.model import Content, Correction, Document, Page, Record, Signature, Verdict
from dupgroups.model.config import Config, Method, Step
from dupgroups.model.records import PartSignature
from dupgroups.text.facts import Facts, add_title, read_facts

KNOWN_FACTS = 512  # texts whose facts are remembered: some 20 MB
UNREAD = "Only their signatures were compared: a text is not known."


class MethodSet:
    """The methods of every language, built once. Raises ConfigError for a method that cannot be built.

    `by_language` maps a language code to its method, and "*" to that of every other language; no part of a
    method is None.
    """

    def __init__(self, config: Config | None = None) -> None:
        given = with_preset(config or Config())
        self.by_language = complete(given)
        self._date_probability = (config or Config()).date_probability
        self._articles_only = config is not None and config.not_article == "skip"
        self._extractors, self._signers = dict[str, Extractor](), dict[str, Signer]()
        languages_of: defaultdict[str, list[str]] = defaultdict(list)
        for language, method in self.by_language.items():
            self._extractors[language] = build("extractor", _step(method.extractor), EXTRACTORS)
            signer = build("signer", _step(method.signer), SIGNERS)
            if config and config.group_by:
                signer = Scoped(signer, config.group_by)
            self._signers[language] = signer
            languages_of[signer.scheme].append(language)
        self._judges = {scheme: self._judge(given, those) for scheme, those in languages_of.items()}
        self.rule = GroupingRule.of(config or Config())
        if all(isinstance(judge, TextJudge) and judge.reads_texts for judge in self._judges.values()):
            self.rule = replace(self.rule, max_compared_texts=MAX_COMPARED_TEXTS)
        self._frames = NO_FRAMES
        self._log: Sequence[Correction] = ()
        self._facts = lru_cache(KNOWN_FACTS)(self._read)  # the copies of a story are compared with each other
        self._whole_facts = lru_cache(KNOWN_FACTS)(read_facts)

    def _judge(self, given: Mapping[str, Method], languages: Sequence[str]) -> Judge:
        """The judge of languages with one scheme, whose texts are compared; a configured judge wins."""
        configured = [language for language in languages if names_judge(given, language)]
        for other in configured[1:]:
            if given[other].judge != given[configured[0]].judge:
                named = (
                    f"methods.{configured[0]} and methods.{other} have the same signer but different judges"
                )
                raise ConfigError(f"{named}: give them the same judge, or signers with different parameters")
        judge: Judge = build("judge", _step(self.by_language[(configured or languages)[-1]].judge), JUDGES)
        return judge

    def read_log(self, log: Sequence[Correction]) -> None:
        """Judge without the frames that are in the log of a store."""
        if log is not self._log:
            self._log = log
            self.frames = read_frames(log)

    @property
    def frames(self) -> Frames:
        """The runs of text that are no evidence: none, until a store or a corpus has learned some."""
        return self._frames

    @frames.setter
    def frames(self, frames: Frames) -> None:
        self._frames = frames
        self._facts.cache_clear()

    def _read(self, text: str) -> Facts:
        """The facts of a text, as of `join_title`, without its frames."""
        return read_facts(self._strip(text))

    def _strip(self, text: str) -> str:
        """A text without its frames."""
        return self._frames.strip(text)

    def extract(self, page: Page) -> Content:
        """Extract the article with the extractor of its language; a page that is skipped has no text."""
        made = analyse(page, extractor=self.extractor)
        content, probability = made.content, made.declared.date_probability
        if not page.date and probability is not None and probability < self._date_probability:
            content = replace(content, date=None)
        if self._articles_only and content.article < MIN_ARTICLE_SCORE:
            content = replace(content, text="")
        return replace(content, scope=page.scope) if page.scope else content

    def method(self, language: str) -> Method:
        """The method of a language; no part is None."""
        return self.by_language[language if language in self.by_language else "*"]

    def extractor(self, language: str) -> Extractor:
        """The extractor of a language."""
        return self._extractors[language if language in self._extractors else "*"]

    def signer(self, language: str) -> Signer:
        """The signer of a language."""
        return self._signers[language if language in self._signers else "*"]

    def signatures(self, contents: Sequence[Content]) -> list[Signature]:
        """The signatures of these texts, in the same order, each made by the signer of its language."""
        places_of: defaultdict[str, list[int]] = defaultdict(list)
        for place, content in enumerate(contents):
            places_of[content.language].append(place)
        signatures: dict[int, Signature] = {}
        for language, places in places_of.items():
            signed = signatures_of(self.signer(language), [contents[place] for place in places])
            signatures.update(zip(places, signed, strict=True))
        return [signatures[place] for place in range(len(contents))]

    def sign_without_frames(self, documents: Sequence[Document]) -> dict[str, Signature]:
        """By id, the signatures of those of these documents that have more than frames beside some."""
        rests = [self._frames.strip(one.content.text) for one in documents]
        pairs = [(one, rest) for one, rest in zip(documents, rests, strict=True) if rest != one.content.text]
        signed = self.signatures([replace(one.content, text=rest) for one, rest in pairs])
        return {one.record.id: signature for (one, _), signature in zip(pairs, signed, strict=True)}

    def sign_again(self, texts: Sequence[tuple[Signature, str]]) -> list[Signature]:
        """The signatures of texts, each as of `join_title`, in the place of former ones: of the same schemes
        and scopes, in the same order.
        """
        signed = dict[int, Signature]()
        for signer in {signer.scheme: signer for signer in self._signers.values()}.values():
            some = [(place, *both) for place, both in enumerate(texts) if both[0].scheme == signer.scheme]
            contents = [
                Content(text, title) for title, _, text in (text.rpartition("\f") for *_, text in some)
            ]
            former = [signature for _, signature, _ in some]
            signed.update(
                zip((place for place, *_ in some), sign_in_scope(signer, former, contents), strict=True)
            )
        return [signed[place] for place in range(len(texts))]

    def part_signature(self, document: Document) -> Signature:
        """The signature of a document with the keys of all texts that have a part of its text, where its
        signer knows them: for a look-up, not to be stored.
        """
        signature = document.record.signature
        more = part_keys_of(self.signer(document.content.language), document.content) if signature else ()
        keys = tuple(dict.fromkeys((*signature.keys, *more)))
        return PartSignature(signature.scheme, keys, signature.body)

    @property
    def schemes(self) -> frozenset[str]:
        """The schemes of all signatures that these methods produce."""
        return frozenset(self._judges)

    def judge(self, scheme: str) -> Judge:
        """The judge of a signature scheme. Raises ConfigError for a scheme that none of the methods uses."""
        if scheme not in self._judges:
            raise ConfigError(
                f"the index holds signatures of scheme {scheme!r}, but the configuration uses "
                f"{', '.join(sorted(self._judges))}: run `dup-groups backfill` to sign all documents again"
            )
        return self._judges[scheme]

    def choose_compared(
        self,
        record: Record,
        others: Sequence[Record],
        always: Collection[str] = (),
        unframed: Mapping[str, Signature] = MappingProxyType({}),
    ) -> Sequence[Record]:
        """Those of the candidates that a record is compared with, in their order (see `GroupingRule`): of
        equally near ones first those of its length, as its copies are. Those with the ids `always` are. Where
        its signature without frames is known, half of them are the nearest to that.
        """
        judge, most = self._judges.get(record.signature.scheme), self.rule.max_compared_texts
        if most is None or len(others) <= most or not isinstance(judge, BatchPrefilter):
            return others
        near = [other for other in others if other.signature and self.rule.is_near_in_time(record, other)]
        bodies = [other.signature.body for other in near]
        signatures = [unframed[record.id], record.signature] if record.id in unframed else [record.signature]
        ids = {other.id for other in near if record.id in always or other.id in always}
        for signature in signatures:
            a, b = Bodies.of(bodies), Bodies.of([signature.body] * len(bodies))
            nearness, may = judge.nearness(a, b)[0].tolist(), judge.may_join(a, b).tolist()
            joining = ((-alike, one) for alike, joins, one in zip(nearness, may, near, strict=True) if joins)
            ranked = sorted((far, one.length != record.length, one.id) for far, one in joining)
            ids |= {id_ for *_, id_ in ranked[: most // len(signatures)]}
        return [other for other in near if other.id in ids]

    def choose_nearest(self, record: Record, others: Sequence[Record], most: int) -> Sequence[Record]:
        """At most so many of the others, those whose signatures have most in common with that of a record, or
        are all but wholly in it; all where its judge cannot say.
        """
        judge = self._judges.get(record.signature.scheme)
        if len(others) <= most or not isinstance(judge, BatchPrefilter):
            return others
        a, b = (Bodies.of([one.signature.body for one in some]) for some in (others, [record] * len(others)))
        nearness = dict(zip((other.id for other in others), judge.nearness(a, b)[0].tolist(), strict=True))
        return nsmallest(most, others, key=lambda other: (-nearness[other.id], other.id))

    def verdict(self, a: Document, b: Document) -> Verdict:
        """How document `a` relates to `b`, by their texts if need be; `different` if their schemes are."""
        if a.record.signature.scheme != b.record.signature.scheme:
            return Verdict("different", 0.0, "Their languages use different signature schemes.")
        read = self._reading(a.record, b.record, *map(add_title, (a.content, b.content)))
        return decide(self.judge(a.record.signature.scheme), a, b, read)

    def second_look(self, a: Record, b: Record, texts: Sequence[str]) -> Verdict:
        """The verdict on two records of one scheme by their texts, as of `join_title`; "" is unknown."""
        return _decide(self.judge(a.signature.scheme), a, b, texts, self._reading(a, b, *texts))

    def _reading(self, a: Record, b: Record, one: str, other: str) -> Callable[[str], Facts]:
        """How the texts of two documents are read: without frames, but for copies."""
        if len(self._frames.runs) and are_copies(one, other):
            return self._whole_facts
        if (shared := self._find_shared(a, b, one, other)) is NO_FRAMES:
            return self._facts
        return lambda text: read_facts(shared.strip(self._strip(text)))

    def _find_shared(self, a: Record, b: Record, one: str, other: str) -> Frames:
        """Find what two documents share if they are two stories of one site, of two days."""
        if not a.host or a.host != b.host or None in (a.published, b.published) or a.day == b.day:
            return NO_FRAMES
        runs = self._frames.find_new([self._strip(one), self._strip(other)], OF_TWO_DAYS)
        return Frames(runs) if len(runs) else NO_FRAMES

    def share_in_order(self, a: str, b: str) -> float:
        """How much of the shorter of two texts, each as of `join_title`, the other one has in its order."""
        return measure(self._facts(a), self._facts(b)).values["ordered kept"]

    def differing(self, a: str, b: str) -> tuple[tuple[str, str], ...]:
        """The facts in which two texts, each as of `join_title`, contradict each other."""
        one, two = map(self._facts, (a, b))
        found = list_contradictions(one, two, measure(one, two))
        return tuple(dict.fromkeys((first, second) for _, first, second in found))

    def list_left_out(self, a: Document, b: Document) -> tuple[LeftOut, ...]:
        """The passages of two texts that are no evidence, each once, by the log that was read."""
        texts = [a.content.text, b.content.text]
        if are_copies(*texts):
            return ()
        found = [one for text in texts for one in list_left_out(self._log, self._frames, text)]
        shared = self._find_shared(a.record, b.record, *texts)
        found += [LeftOut(one) for text in texts for one in shared.list_passages(self._strip(text))]
        return tuple({one.text: one for one in found}.values())

    def find_correction(self, a: Record, b: Record) -> int | None:
        """The number of the entry that keeps two documents together, by the log that was read; else None."""
        return Corrections.of(self._log).number_of(a, b)

    def signals(self, a: Document, b: Document) -> tuple[Signal, ...]:
        """The measures that the judge of two documents of one scheme compares with its thresholds: () for one
        that does not say, that weighs their texts (see `parts`), or for a document without keys.
        """
        judge = self.judge(a.record.signature.scheme)
        return judge.signals(a.record, b.record) if isinstance(judge, Explaining) else ()

    def parts(self, a: Document, b: Document) -> tuple[Part, ...]:
        """The parts of the sum of the judge of two documents of one scheme: () if it reads no texts."""
        judge = self._judges.get(a.record.signature.scheme)
        texts = [add_title(one.content) for one in (a, b) if one.record.signature]
        if not isinstance(judge, TextJudge) or len(texts) < 2 or not all(texts):
            return ()
        return judge.parts_of_texts(*map(self._reading(a.record, b.record, *texts), texts))


def decide(judge: Judge, a: Document, b: Document, read: Callable[[str], Facts]) -> Verdict:
    """How document `a` relates to `b` for a judge; `read` gives the facts of a text with its title."""
    return _decide(judge, a.record, b.record, (add_title(a.content), add_title(b.content)), read)


def _decide(
    judge: Judge, a: Record, b: Record, texts: Sequence[str], read: Callable[[str], Facts]
) -> Verdict:
    """The verdict of the texts, if signatures leave it in doubt and both are known; else that of these."""
    verdict = judge(a, b)
    if not verdict.doubtful or not isinstance(judge, TextJudge):
        return verdict
    if not all(texts):
        return replace(verdict, reason=f"{verdict.reason} {UNREAD}")
    return judge.by_texts(a, b, *map(read, texts))


def _step(step: Step | None) -> Step:
    assert step is not None  # complete() fills in every part
    return step
