"""Stores what a model says of some graphs, for the test that Java says the same.

  .venv-surrogate/bin/python notebooks/surrogate/examples.py models/surrogate_gnn.onnx out/surrogate-graphs \
      out/surrogate-small/runs out/surrogate-larger/runs --out sweep-core/src/test/resources/surrogate-predictions.json
"""

import argparse
import json
import pathlib

import numpy as np
import onnxruntime
import pyarrow.parquet as pq

import graphs as g

#: Parameters that the sweeps of configs/surrogate set.
PARAMETERS = ["traffic." + p for p in ("pattern", "flows", "fan_out", "matrix_seed", "balanced", "load", "message")] + [
    "switch." + p for p in ("port_bandwidth_gb_per_s", "buffer_capacity_bytes", "ecn_kmin", "ecn_kmax")] + [
    "topology." + p for p in ("kind", "leaves", "spines", "rails", "k", "p", "a", "h")] + [
    "flow_control.kind", "transport.sender", "routing.kind"]


def column(parameter):
    return "traffic_message_bytes" if parameter == "traffic.message" else parameter.replace(".", "_")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("graphs")
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    data = g.read([args.graphs])
    runs = {run["run_key"]: run for folder in args.runs for run in pq.read_table(folder).to_pylist()}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(args.model, options)
    flows = pq.read_table(pathlib.Path(args.graphs) / "flows.parquet", columns=["src", "dst"])
    examples = []
    # Of each topology and mechanism the first with few flows.
    seen = set()
    for i, about in enumerate(data.about):
        first, last = data.first["flow"][i], data.first["flow"][i + 1]
        kind = (about["topology"], about["mechanism"])
        if kind in seen or last - first > 24:
            continue
        seen.add(kind)
        batch = data.batch([i])
        said = session.run(None, {k: batch[k].numpy() for k in g.INPUTS})[0].mean(0)
        run = runs[about["run_key"]]
        examples.append({
            "parameters": {p: value(p, run[column(p)]) for p in PARAMETERS if run[column(p)] is not None},
            "flows": [{"src": int(flows["src"][int(f)].as_py()), "dst": int(flows["dst"][int(f)].as_py()),
                       "log_mean": float(np.float32(said[f - first, 0])), "log_p99": float(np.float32(said[f - first, 1]))}
                      for f in range(first, last)],
        })
    args.out.write_text("[\n" + ",\n".join(json.dumps(e) for e in examples) + "\n]\n")
    print(f"{len(examples)} graphs: {args.out}")


def value(parameter, x):
    if parameter in ("traffic.message", "switch.buffer_capacity_bytes"):
        return f"{x} B"
    return str(x).lower() if isinstance(x, bool) else repr(x) if isinstance(x, float) else str(x)


if __name__ == "__main__":
    main()
