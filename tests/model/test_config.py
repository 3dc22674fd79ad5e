"""Configuration, the registry of methods, and the engine's URL: what they accept, and how they refuse."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from dupgroups.engines import EngineURL
from dupgroups.errors import ConfigError
from dupgroups.methods.registry import build
from dupgroups.model import Signature
from dupgroups.model.config import Config, Method, Step, from_mapping, from_toml

# -- config


TOML = """
engine = "opensearch://localhost:9200/news"
candidates = 20
join = ["duplicate", "near"]
head = ["reuters.com", "apnews.com"]
group_by = ["tenant", "language"]
within_days = 30
[methods.en]
extractor = "mss"
signer = { name = "shingling", size = 2 }
[methods."*"]
judge = { name = "evidence", threshold = 0.4 }
"""


def test_toml_and_a_mapping_are_readers_of_the_same_keys(tmp_path: Path) -> None:
    path = tmp_path / "dup-groups.toml"
    path.write_text(TOML, encoding="utf-8")
    expected = Config(
        engine="opensearch://localhost:9200/news",
        candidates=20,
        join=frozenset({"duplicate", "near"}),
        head=("reuters.com", "apnews.com"),
        group_by=("tenant", "language"),
        within_days=30,
        methods={
            "en": Method(extractor=Step("mss"), signer=Step("shingling", {"size": 2})),
            "*": Method(judge=Step("evidence", {"threshold": 0.4})),
        },
    )
    assert from_toml(path) == expected
    steps = {"en": {"extractor": Step("mss"), "signer": "shingling size=2"}, "*": Method()}
    assert from_mapping({"methods": steps}).methods["en"] == expected.methods["en"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"enginge": "memory://"},
            "unknown setting 'enginge'; known: engine, preset, methods, join, candidates",
        ),
        ({"join": ["same"]}, "join: same cannot join documents; choose duplicate, contains, contained, near"),
        (
            {"head": ["longest"]},
            "head: give oldest, published, fullest, fullest_dated, canonical, or a list .*not \\['longest'",
        ),
        ({"group_by": "tenant"}, "group_by: give a list of fields .*not 'tenant'"),
        ({"within_days": -1}, "within_days must be a whole number of days, 0 or more, not -1"),
        ({"date_probability": 2}, "date_probability must be a number from 0.5 to 1, not 2"),
        ({"candidates": 0}, "candidates must be a whole number from 1 to 1000, not 0"),
        (
            {"methods": {"en": "mss"}},
            "methods.en: give a table with any of the keys extractor, signer, judge",
        ),
        ({"methods": {"en": {"signer": 5}}}, "a method must be a name, or a table with a name, not 5"),
    ],
    ids=repr,
)
def test_what_is_wrong_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_mapping(values)


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    with pytest.raises(ConfigError, match=f"{path} cannot be read: No such file or directory; name another"):
        from_toml(path)
    for content in (b"engine = ", b"engine = '\xff'"):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=f"{path} is not a valid TOML file: "):
            from_toml(path)


# -- registry


@dataclass(frozen=True)
class Cutter:
    """A method of a stranger."""

    size: int = 4
    base: int = 10

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"size: {self.size} is below 1")

    def __call__(self, text: str) -> Signature:
        return Signature(text[: self.size])


TABLE = {"cutter": Cutter, "other": Cutter}


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Step("cuter"), r"unknown signer 'cuter' \(did you mean 'cutter'\?\); choose one of: cutter, other"),
        (
            Step("cutter", {"sice": 2}),
            "^signer 'cutter': got .* argument 'sice'; its parameters: size, base$",
        ),
        (Step("cutter", {"size": 2.5}), "signer 'cutter': size must be a whole number, not 2.5"),
        (Step("cutter", {"size": 0}), "signer 'cutter': size: 0 is below 1"),
        (Step("datetime:timedelta", {"days": "x"}), "a value of the wrong type in days='x'"),
        (Step("fractions:Fraction"), "signer 'fractions:Fraction' does not build a callable"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_cannot_be_built_is_a_sentence(step: Step, message: str) -> None:
    stranger = build("signer", Step(f"{__name__}:Cutter", {"size": 3}), TABLE)
    assert stranger("text") == Signature("tex")
    with pytest.raises(ConfigError, match=message):
        build("signer", step, TABLE)


# -- the URL of the engine


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("sqlite:///a%20b%3F%25%23/%E5%8C%97.db", {"kind": "sqlite", "path": "a b?%#/北.db"}),
        ("sqlite:///x.db?timeout=3", {"kind": "sqlite", "path": "x.db", "options": {"timeout": "3"}}),
        ("opensearch://host:9200/news", {"kind": "opensearch", "host": "host", "port": 9200, "path": "news"}),
        (
            "elasticsearch+https://[::1]:9200/news?verify=false&ca=/ca.pem",
            {"kind": "elasticsearch", "host": "::1", "port": 9200, "path": "news", "tls": True,
             "options": {"verify": "false", "ca": "/ca.pem"}},
        ),
        (
            "opensearch+https://u%40x:p%2Fw%3A@h/n",
            {"kind": "opensearch", "host": "h", "path": "n", "tls": True, "user": "u@x", "password": "p/w:"},
        ),
    ],
)  # fmt: skip
def test_a_url_names_an_engine_and_is_printed_as_one(url: str, parts: dict[str, object]) -> None:
    parsed = EngineURL.parse(url, {})
    assert parsed == EngineURL(**parts)  # type: ignore[arg-type]
    assert parsed.options or parsed.password or EngineURL.parse(str(parsed), {}) == parsed


def test_secrets_come_from_the_environment_and_never_show() -> None:
    given = {"USER": "crawler", "PASSWORD": "s3cret", "API_KEY": "k3y"}
    env = {f"DUPGROUPS_ENGINE_{name}": value for name, value in given.items()}
    from_env = EngineURL.parse("opensearch://host/news", env)
    assert (from_env.user, from_env.password, from_env.api_key) == ("crawler", "s3cret", "k3y")
    from_url = EngineURL.parse("opensearch://me:0ther@host/news?api_key=k3y", env)
    assert (from_url.user, from_url.password) == ("me", "0ther")
    for url in (from_env, from_url):
        for shown in (str(url), repr(url), f"{url}"):
            assert not any(secret in shown for secret in ("s3cret", "k3y", "0ther"))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("news.db", "name the engine by a URL"),
        ("http://host:9200/news", "'http' does not say .*: write opensearch:// or elasticsearch://$"),
        ("https://host/news", "'https' does not say .*: write opensearch.https:// or elasticsearch.https://"),
        ("opensearch+ftp://host/news", "unknown transport 'ftp'.*use opensearch:// or"),
        ("opensearch://me:s3cret@host:port/news", "URL of the engine is not valid"),
        ("opensearch://me:123/s3cret@host/news", "write / as %2F and @ as %40"),
        ("opensearch://me:123#s3cret@host/news", "write it as %23"),
        ("sqlite:///news#1.db", "write it as %23"),
    ],
)
def test_a_bad_url_is_refused_without_its_secret(url: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as raised:
        EngineURL.parse(url, {})
    assert "s3cret" not in str(raised.value)
    assert raised.value.__suppress_context__ or raised.value.__context__ is None  # a traceback shows causes
