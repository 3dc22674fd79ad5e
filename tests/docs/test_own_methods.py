"""The methods that the how-to writes work as it says."""

import re
from pathlib import Path

from cli.files import html
from commands import shell
from docs.blocks import ROOT
from stories import story


def test_own_methods_extract_sign_and_judge(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "how-to" / "own-methods.md").read_text("utf-8")
    files = re.findall(r'```\w+ title="([\w.]+)"\n(.*?)```', guide, re.DOTALL)
    for name, content in files:
        (tmp_path / name).write_text(content)
    assert all(content.count("\n") <= 20 for _, content in files)
    (tmp_path / "pages").mkdir()
    for name, text in (("a", "ferry"), ("b", "ferry"), ("c", "flood")):
        (tmp_path / "pages" / f"{name}.html").write_bytes(html(story(text)))
    ended = shell(tmp_path, "group pages --config news.toml --out -")
    rows = ["pages/a.html,pages/a.html", "pages/b.html,pages/a.html", "pages/c.html,pages/c.html"]
    assert ended.stdout.decode().split() == ["id,group", *rows], ended.stderr.decode()
