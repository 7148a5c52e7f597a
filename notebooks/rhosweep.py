"""Results of rhosweep for notebooks: tables of a folder, units and meanings from the files themselves, a style for figures.

Numbers come from the files; what the Java side computes (latencies, intervals, predictions, fits) is read, not computed again.
"""

import base64
import functools
import gzip
import json
import os
import pathlib
import subprocess

import matplotlib as mpl
import matplotlib.ticker
import numpy as np
import pandas as pd
import pyarrow.dataset as ds

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Okabe and Ito 2008: told apart by colour-blind readers; markers and dashes tell curves apart in grey.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1))]


def style():
    """Sets figures up for reading on a screen and on paper."""
    mpl.rcParams.update(
        {
            "axes.prop_cycle": mpl.cycler(color=COLOURS) + mpl.cycler(marker=MARKERS) + mpl.cycler(linestyle=DASHES),
            "axes.axisbelow": True,
            "axes.grid": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "errorbar.capsize": 2,
            "figure.dpi": 110,
            "figure.figsize": (7.2, 4.2),
            "figure.constrained_layout.use": True,
            "font.size": 10,
            "grid.color": "#e4e4e4",
            "image.cmap": "cividis_r",
            "legend.frameon": False,
            "lines.markersize": 5,
            "svg.fonttype": "none",
        }
    )


def tool(*arguments):
    """Runs `scripts/rhosweep` and returns what it printed."""
    done = subprocess.run(
        [ROOT / "scripts" / "rhosweep", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"rhosweep {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def load(folder=None):
    """The results folder that is named, or that RHOSWEEP_RESULTS names, or the quickstart's."""
    chosen = pathlib.Path(folder or os.environ.get("RHOSWEEP_RESULTS") or ROOT / "out" / "quickstart")
    if not (chosen / "manifest.json").exists():
        raise FileNotFoundError(
            f"{chosen} holds no results. Maybe: scripts/rhosweep run configs/quickstart.yaml --out {chosen}"
        )
    return Folder(chosen)


class Table:
    """One table of Parquet files."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.dataset = ds.dataset(self.path, format="parquet")

    @functools.cached_property
    def catalogue(self):
        """What the columns are: type, unit, meaning and source, from the footer of a file."""
        footer = self.dataset.schema.metadata or {}
        packed = footer.get(b"rhosweep.columns.gz")
        text = gzip.decompress(base64.b64decode(packed)) if packed else footer.get(b"rhosweep.columns", b"[]")
        columns = pd.DataFrame(json.loads(text), columns=["name", "type", "unit", "doc", "source"])
        return columns.set_index("name")

    @functools.cached_property
    def frame(self):
        """All rows as a data frame."""
        return self.dataset.to_table().to_pandas()

    def label(self, column):
        """A column's name with its unit, for an axis."""
        unit = self.catalogue.unit.get(column, "")
        return column if not unit or column.endswith("_" + unit) else f"{column} [{unit}]"

    @functools.cached_property
    def parameters(self):
        """The columns that are parameters: their source is a path such as switch.alpha."""
        paths = self.catalogue.source.str.fullmatch(r"[a-z_]+(\.[a-z0-9_]+)+")
        return [c for c in self.catalogue.index[paths] if not c.startswith("pred_")]

    def half_width(self, column):
        """The column with the half-width of another's interval, or None."""
        doc = self.catalogue.doc
        found = doc.index[doc.str.startswith(f"Half-width of the confidence interval of {column};")]
        return found[0] if len(found) else None


class Folder:
    """A results folder."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.manifest = json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))

    @functools.cached_property
    def runs(self):
        return Table(self.path / "runs")

    @functools.cached_property
    def points(self):
        """Each point once: of several rows the one with most replicates."""
        table = Table(self.path / "points")
        table.frame = table.frame.sort_values("n", kind="stable").drop_duplicates("point_key", keep="last").reset_index(drop=True)
        return table

    @functools.cached_property
    def series(self):
        """Samples over time, of runs with record.series; None if there are none."""
        path = self.path / "series"
        return Table(path) if path.is_dir() and any(path.glob("*.parquet")) else None

    def where(self, **values):
        """Points with these values of columns; a list means any of them."""
        frame = self.points.frame
        for column, value in values.items():
            frame = frame[frame[column].isin(value if isinstance(value, (list, tuple, set)) else [value])]
        return frame

    def pairs(self, frame, columns, keep):
        """Points that agree on all parameters but some: one line for each setting of the others, one column for each of the varied.

        With common random numbers such points met the same packets, so that their differences hold little noise.
        """
        others = [p for p in self.points.parameters if p not in columns and frame[p].notna().any()]
        wide = frame.assign(**{p: frame[p].astype(object).where(frame[p].notna(), None) for p in others})
        return wide.pivot_table(index=others, columns=columns, values=keep, observed=True).dropna()


def swept(frame, parameters):
    """Which parameters differ within a frame, with how many values."""
    counts = frame[parameters].nunique(dropna=False)
    return counts[counts > 1].sort_values(ascending=False)


def curves(ax, table, frame, x, y, by, **options):
    """One curve with intervals for each value of `by`; every number is one point's own."""
    bars = table.half_width(y)
    clash = frame.duplicated([x, by]) if by else frame.duplicated([x])
    if clash.any():
        mixed = swept(frame, table.parameters).drop([x] + ([by] if by else []), errors="ignore")
        raise ValueError(f"several points share {x} and {by}: fix one of {dict(mixed)}")
    for value, line in frame.sort_values(x).groupby(by, sort=True) if by else [(None, frame.sort_values(x))]:
        label = f"{by} {value:g}" if isinstance(value, (int, float)) else f"{by} {value}" if by else y
        ax.errorbar(line[x], line[y], line[bars].fillna(0) if bars else None, label=label, **options)
    ax.set(xlabel=table.label(x), ylabel=table.label(y))
    ax.legend()
    return ax


def heat(ax, cells, label, form="{:.3g}", log=False):
    """A pivoted frame as cells, its columns along the horizontal axis; darker is more, and the number stands in each."""
    values = cells.to_numpy(dtype=float)
    positive = values[np.isfinite(values) & (values > 0)]
    norm = mpl.colors.LogNorm(positive.min(), positive.max()) if log and len(positive) and positive.min() < positive.max() else None
    image = ax.imshow(values, aspect="auto", origin="lower", norm=norm)
    ax.grid(False)
    ax.set_xticks(range(cells.shape[1]), [f"{c:g}" if isinstance(c, (int, float)) else c for c in cells.columns])
    ax.set_yticks(range(cells.shape[0]), [f"{c:g}" if isinstance(c, (int, float)) else c for c in cells.index])
    ax.set(xlabel=cells.columns.name, ylabel=cells.index.name)
    for i, j in zip(*np.nonzero(np.isfinite(values))):
        dark = image.norm(values[i, j]) > 0.5
        ax.text(j, i, form.format(values[i, j]), ha="center", va="center", fontsize=8, color="white" if dark else "black")
    plain = mpl.ticker.StrMethodFormatter("{x:g}")
    bar = ax.figure.colorbar(image, ax=ax, label=label, format=plain)
    decade = len(positive) and positive.max() < 10 * positive.min()
    bar.ax.yaxis.set_minor_formatter(plain if decade else mpl.ticker.NullFormatter())
    return ax


def logarithmic(ax, values):
    """A logarithmic horizontal axis with a tick at each of the values."""
    ticks = sorted(set(values))
    ax.set_xscale("log")
    ax.set_xticks(ticks, [f"{v:g}" for v in ticks])
    ax.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    return ax
