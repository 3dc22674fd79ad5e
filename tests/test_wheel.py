"""The wheel holds our packages and their data, and the demo runs with it alone, from crawl to search page."""

import json
import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from docs.blocks import blocks
from dupgroups_demo import build
from processes import Command, free_port, started

ROOT = Path(__file__).parents[1]
pytestmark = [pytest.mark.whole, pytest.mark.slow]  # `make wheel` runs them


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that is built now."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of a fresh environment that has the wheel, and finds what it depends on in ours."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder)
    python = folder / "bin" / "python"
    ours = [path for path in sys.path if path.endswith("site-packages")]
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    # not in PYTHONPATH: our environment has this clone installed too, and must come last
    Path(site, "ours.pth").write_text("\n".join(ours))
    quiet = ["--quiet", "--no-deps", str(wheel)]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", *quiet]
    subprocess.run(pip, check=True, capture_output=True, text=True)
    return folder / "bin"


def test_the_names_are_ours_and_data_licence_and_notice_are_in(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    parts = ("demo", "es", "filter", "lab", "papers", "spark")
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "dupgroups", *(f"dupgroups_{part}" for part in parts)
    }  # fmt: skip
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names}
    typed = ("dupgroups", "dupgroups_es", "dupgroups_lab", "dupgroups_papers", "dupgroups_spark")
    data = ("papers/content/crf.npz", "demo/sites.toml", "demo/stories/zh/", "demo/templates/")
    for wanted in (
        *(f"{package}/py.typed" for package in typed),
        *("dupgroups/web/templates/", "dupgroups/web/static/"),
        *(f"dupgroups_{file}" for file in data),
    ):
        assert any(name.startswith(wanted) for name in names), wanted


def test_a_stranger_with_only_the_wheel_can_run_the_demo(installed: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env |= {"PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
    python = installed / "python"
    where = [python, "-c", "import dupgroups_demo; print(dupgroups_demo.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=env, check=True, capture_output=True, text=True)
    assert found.stdout.startswith(str(installed.parent))
    words = [str(installed / "dup-groups"), "demo", "--serve", "--port", "{port}"]
    words += ["--sites-port", str(free_port())]
    with started(words, tmp_path, env, python=python) as served:
        printed = " ".join(served.printed().split())
        assert "0 other pages, 0 pairs of copies missed, 0 pairs grouped wrongly" in printed
        hits = json.loads(served.get("/api/search?q=ferry"))["hits"]
        urls = [urlsplit(hit["shown"]["url"]) for hit in hits]
        for url in urls:
            Command(served.process, url.port or 0, served.log).get(url.path, host=url.hostname or "")
    pages = {urlsplit(site.url).hostname: site for site in build()}
    stories = [pages[url.hostname].by_path[url.path].story for url in urls]
    assert stories == ["ferry-collision", "ferry-inquiry", "storm-odile"]  # which names Ferry Street


@pytest.mark.parametrize("of_the_wheel", [False, True])
def test_the_first_command_of_the_readme_installs_a_clone_and_a_wheel(
    wheel: Path, of_the_wheel: bool
) -> None:
    """Nothing is downloaded, because what it asks for is here."""
    first = next(block.first for block in blocks(ROOT / "README.md") if block.language == "bash")
    pip, *words = shlex.split(first)
    assert pip == "pip"
    words = [word.replace(".[", f"{wheel}[") if of_the_wheel else word for word in words]
    offline = ["--dry-run", "--no-index", "--no-build-isolation", "--ignore-installed", "--no-deps"]
    command = [sys.executable, "-m", pip, *words, *offline]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert re.search(r"Would install dup-groups-\d", done.stdout)
