"""`dup-groups alert`: what is told, where, and what the command says of it."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from commands import cli, error, news
from dupgroups import Deduper, Page
from flow.alerts.receiver import receiving
from processes import environment
from stories import story

RULE = "sites >= 3 within 24h"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def copies(name: str, *sites: str) -> list[Page]:
    return [Page(url=f"https://{site}.com/{name}", text=story(name), title=f"Story {name}") for site in sites]


def lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_what_comes_after_the_first_run_is_told_once(tmp_path: Path) -> None:
    url, told = news(tmp_path, copies("old", "a", "b", "c")), tmp_path / "told.jsonl"
    command = ("alert", "--engine", url, "--rule", RULE, "--to", told)
    assert "1 alert not sent: the stories matched before" in cli(*command).stdout
    news(tmp_path, [*copies("old", "d"), *copies("new", "a", "b", "c")])
    assert cli(*command).stdout == f"1 alert sent to {told}\n"
    assert cli(*command).stdout == f"0 alerts sent to {told}\n"
    assert [(one["rule"], one["title"], one["sites"]) for one in lines(told)] == [(RULE, "Story new", 3)]
    assert (tmp_path / "news.alerts.db").exists()
    printed = cli(*command[:-2], "--told", "other.db", "--from-start")
    assert sorted(json.loads(line)["sites"] for line in printed.stdout.splitlines()) == [3, 4]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")
def test_a_pipe_and_a_device_get_a_line_for_each_alert(tmp_path: Path) -> None:
    url, pipe, read = news(tmp_path, copies("new", "a", "b", "c")), tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.extend(pipe.read_text().splitlines()))
    reader.start()
    command = ("alert", "--engine", url, "--rule", RULE, "--from-start")
    assert cli(*command, "--to", pipe).stdout == f"1 alert sent to {pipe}\n"
    reader.join()
    assert [json.loads(line)["sites"] for line in read] == [3]
    assert cli(*command, "--to", "/dev/null", "--told", "other.db").stdout == "1 alert sent to /dev/null\n"


def test_rules_of_a_file_have_names(tmp_path: Path) -> None:
    rules = tmp_path / "desk.toml"
    rules.write_text('[rules]\n"many" = "Copies >= 2"\n"ours" = "copied from a.com"\n')
    url = news(tmp_path, copies("x", "a", "b"))
    printed = cli("alert", "--engine", url, "--rules", rules, "--rule", "sites >= 2", "--from-start").stdout
    found = {one["name"]: one["text"] for one in map(json.loads, printed.splitlines())}
    assert list(found) == ["many", "ours", "sites >= 2"]
    assert found["ours"] == "ours, b.com: Story x (2 copies on 2 sites) https://a.com/x"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give a rule, with --rule"),
        (("--rule", "sites > 2"), "the rule 'sites > 2' is not understood"),
        (("--rule", RULE, "--to", "news.db"), "news.db is also read or written by this command"),
        (("--rule", RULE, "--to", "news.alerts.db"), "is also read or written"),
        (("--rule", RULE, "--to", "ftp://a.com/"), "begins with http:// or https://"),
        (("--rule", RULE, "--told", "news.db"), "is also read or written"),
        (("--rules", "list.toml"), "give a table [rules]"),
        (("--rules", "missing.toml"), "missing.toml cannot be read: No such file or directory; name another"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_told(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    Path("list.toml").write_text('rules = ["sites >= 2"]')
    url = news(tmp_path, copies("x", "a", "b"))
    assert sentence in error("alert", "--engine", url, *words)


def test_a_run_that_could_not_deliver_fails_and_the_next_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups.cli.alert.MAX_FAILURES", 1)
    url = news(tmp_path, [*copies("x", "a", "b", "c"), *copies("y", "a", "b", "c")])
    with receiving(503, 503, 404) as receiver:
        command = ("alert", "--engine", url, "--rule", RULE, "--from-start", "--to", receiver.url)
        said = error(*command)
        assert said.startswith("2 alerts wait to be delivered: http://127.0.0.1:")
        assert said.endswith("/... refused with status 503; run this again")
        time.sleep(0.6)  # until the first one is due
        assert "refused alerts for good: they are in news.alerts.dead.jsonl" in error(*command)
        assert len(receiver.taken) == 1
        assert len(lines(Path("news.alerts.dead.jsonl"))) == 1


def test_it_follows_until_it_is_terminated(tmp_path: Path) -> None:
    url = news(tmp_path, copies("x", "a", "b"))
    with receiving() as receiver:
        words = ["alert", "--engine", url, "--rule", RULE, "--follow", "--every", "0.1"]
        env = environment(DUPGROUPS_ALERT_TO=receiver.url, no_proxy="127.0.0.1")
        process = subprocess.Popen(
            [sys.executable, "-m", "dupgroups", *words], env=env, stdout=subprocess.PIPE, text=True
        )
        try:
            with Deduper(url) as writer:
                while not Path("news.alerts.db").exists():
                    time.sleep(0.05)
                time.sleep(0.3)
                writer.add_all(copies("x", "c"))
                end = time.monotonic() + 20
                while not receiver.taken and time.monotonic() < end:
                    time.sleep(0.05)
            process.terminate()
            printed, _ = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 0
    assert [one["copies"] for one in receiver.taken.values()] == [3]
    assert printed == f"1 alert sent to http://127.0.0.1:{receiver.server_port}/...\n"
