"""The wheel holds the import packages and their data, and nothing with a generic name."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from processes import free_port

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.whole


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
    where = [installed / "python", "-c", "import dupgroups_demo; print(dupgroups_demo.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=env, check=True, capture_output=True, text=True)
    assert found.stdout.startswith(str(installed.parent))
    command = [installed / "dup-groups", "demo", "--sites-port", str(free_port())]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 pairs of copies missed, 0 pairs grouped wrongly" in " ".join(done.stdout.split())
    assert (tmp_path / "demo" / "news.db").exists()
