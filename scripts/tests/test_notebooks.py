"""Every notebook runs on a small sweep and each of its figures shows data; none is stored with outputs."""

import pathlib
import re

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

# Tells of each figure, before it is drawn, how many of its axes show nothing.
WATCH = '''
import matplotlib.pyplot as _plt, numpy as _np
from IPython import get_ipython
def _shows(ax):
    arrays = [line.get_ydata() for line in ax.lines]
    arrays += [c.get_offsets() if c.get_array() is None else c.get_array() for c in ax.collections]
    arrays += [image.get_array() for image in ax.images]
    arrays += [[p.get_width() * p.get_height()] for p in ax.patches if hasattr(p, "get_width")]
    return any(_np.isfinite(_np.ma.filled(_np.ma.asarray(a, dtype=float), _np.nan)).any() for a in arrays if len(a))
def _tell():
    for number in _plt.get_fignums():
        axes = _plt.figure(number).axes
        print(f"FIGURE axes={len(axes)} empty={sum(not _shows(ax) for ax in axes)}")
get_ipython().events.register("post_execute", _tell)
'''


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_is_stored_without_outputs(path):
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None, f"{path.name}: clear all outputs before committing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_runs_and_every_figure_shows_data(path, quickstart, monkeypatch):
    monkeypatch.setenv("RHOSWEEP_RESULTS", str(quickstart))
    notebook = nbformat.read(path, 4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(WATCH))
    NotebookClient(
        notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    told = re.findall(r"FIGURE axes=(\d+) empty=(\d+)", "".join(o.get("text", "") for o in outputs))
    drawn = sum("image/png" in o.get("data", {}) for o in outputs)
    assert told and len(told) == drawn
    assert all(int(axes) > 0 and int(empty) == 0 for axes, empty in told), told
