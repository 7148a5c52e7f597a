"""The tables of docs/surrogate.md that show the graph network beside other methods, from what `rhosweep compare --network` wrote.

  .venv-surrogate/bin/python notebooks/surrogate/table.py out/surrogate-compared --model models/surrogate_gnn.json

Points at which all methods shown say something and that the network did not learn from; mean absolute error in %, low / transition /
congested. `noise` is the mean absolute error that the points' own standard errors would make.
"""

import argparse
import json
import math
import pathlib

import pyarrow.parquet as pq

import train as t

METHODS = ("surrogate_gnn", "surrogate", "regression_increment", "rr_messages", "segmented", "alpha_beta")
REGIMES = ("low", "transition", "congested")
#: Mean absolute value of a normal variable of standard deviation 1.
MEAN_ABSOLUTE = math.sqrt(2 / math.pi)


def way(kind, asked):
    """How the other methods were held out at such points: by the `--hold-out` of the comparison, if it had one."""
    if asked and kind not in ("random", "unseen_loads"):
        return "asked"
    named = {} if asked else {"stop": "unseen-setting", "unseen_setting": "unseen-setting", "unseen_loads": "unseen-loads"}
    return named.get(kind, "random")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compared", type=pathlib.Path)
    parser.add_argument("--model", required=True, type=pathlib.Path)
    args = parser.parse_args()
    learnt = set(json.loads(args.model.read_text())["learnt"])
    rows = pq.read_table(args.compared / "points.parquet").to_pylist()
    asked = any(row["held_out"] == "asked" for row in rows)
    methods = [m for m in METHODS if any(row["method"] == m for row in rows)]
    points = {}
    for row in rows:
        if row["method"] in methods and row["predicted_ns"] is not None and row["point_key"] not in learnt:
            kind = t.held_out(row)
            if row["held_out"] == way(kind, asked):
                points.setdefault((kind, row["point_key"]), {})[row["method"]] = row
    groups = {}
    for (kind, _), said in points.items():
        if len(said) == len(methods):
            groups.setdefault(kind, {r: [] for r in REGIMES})[said[methods[0]]["regime"]].append(said)
    print("| held out | runs | " + " | ".join(f"`{m}`" for m in methods) + " | noise |")
    print("|---|---|" + "---|" * (len(methods) + 1))
    for kind, regimes in sorted(groups.items()):
        cells = [" / ".join(percent([abs(p[m]["error"]) for p in regimes[r]]) for r in REGIMES) for m in methods]
        cells.append(" / ".join(
            percent([MEAN_ABSOLUTE * (p[methods[0]]["measured_relative_error"] or 0) for p in regimes[r]]) for r in REGIMES))
        print(f"| {kind} | {sum(map(len, regimes.values()))} | " + " | ".join(cells) + " |")


def percent(values):
    return f"{100 * sum(values) / len(values):.1f}" if values else "-"


if __name__ == "__main__":
    main()
