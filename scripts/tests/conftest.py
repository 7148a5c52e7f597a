"""What the tests in Python share: sweeps made once by the launcher, and a browser."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rhosweep(*arguments):
    """Runs the launcher and returns what it printed."""
    done = subprocess.run([ROOT / "scripts" / "rhosweep", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def quickstart(tmp_path_factory):
    """The quickstart, all points, with few messages a run."""
    out = tmp_path_factory.mktemp("sweeps") / "quickstart"
    rhosweep("run", ROOT / "configs" / "quickstart.yaml", "--out", out, "--set", "measure.messages=300", "--quiet")
    return out


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """A sweep whose names are anything but."""
    out = tmp_path_factory.mktemp("sweeps") / "hostile"
    rhosweep("run", pathlib.Path(__file__).with_name("hostile.yaml"), "--out", out, "--quiet")
    return out


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium; CHROMIUM names another."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        yield started
        started.close()
