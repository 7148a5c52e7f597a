"""Reads what `rhosweep dataset` writes and puts graphs side by side as one."""

import dataclasses
import pathlib

import numpy as np
import pyarrow.parquet as pq
import torch

POSITIONS = 6
#: What a network is asked with, in the order of its arguments; the names are those of the ONNX model's inputs.
INPUTS = ("flow_x", "queue_x", "link_x", "queue_link", "queue_share", "visit_cell", "visit_queue", "visit_share",
          "visit_weight", "mean_unit", "tail_unit")


@dataclasses.dataclass
class Graphs:
    """Graphs of one or more folders: arrays over all flows, queues, links, visits, and where each graph's begin."""

    about: list[dict]
    arrays: dict[str, np.ndarray]
    first: dict[str, np.ndarray]

    def __len__(self):
        return len(self.about)

    def where(self, wanted):
        """Numbers of the graphs of which `wanted` is true."""
        return np.array([i for i, about in enumerate(self.about) if wanted(about)], dtype=np.int64)

    def every(self, n):
        """Every nth graph alone."""
        keep = range(0, len(self), n)
        arrays = {}
        for name, array in self.arrays.items():
            first = self.first[self._entity(name)]
            arrays[name] = np.concatenate([array[first[i]:first[i + 1]] for i in keep])
        first = {name: np.concatenate([[0], np.cumsum(np.diff(f)[list(keep)])]) for name, f in self.first.items()}
        return Graphs([self.about[i] for i in keep], arrays, first)

    def _entity(self, name):
        """What an array has a row of; targets are of flows."""
        entity = name.split("_")[0]
        return entity if entity in self.first else "flow"

    def batch(self, numbers):
        """Some graphs as one graph that is not connected: inputs by name, and targets."""
        parts = {name: [] for name in self.arrays}
        flows = queues = links = 0
        for g in numbers:
            for name, array in self.arrays.items():
                first = self.first[self._entity(name)]
                piece = array[first[g]:first[g + 1]]
                if name == "queue_link":
                    piece = piece + links
                elif name == "visit_cell":
                    piece = piece + flows * POSITIONS
                elif name == "visit_queue":
                    piece = piece + queues
                parts[name].append(piece)
            flows += self.first["flow"][g + 1] - self.first["flow"][g]
            queues += self.first["queue"][g + 1] - self.first["queue"][g]
            links += self.first["link"][g + 1] - self.first["link"][g]
        return {name: torch.from_numpy(np.concatenate(pieces)) for name, pieces in parts.items()}


def _columns(table, prefix):
    names = [name for name in table.column_names if name.startswith(prefix)]
    return np.stack([table[name].to_numpy() for name in names], axis=1).astype(np.float32)


def read(folders):
    """The graphs of folders, in their order."""
    about, parts, counts = [], {}, {name: [] for name in ("flow", "queue", "link", "visit")}
    for folder in map(pathlib.Path, folders):
        graphs = pq.read_table(folder / "graphs.parquet").to_pylist()
        flows, queues, links, visits = (
            pq.read_table(folder / f"{name}.parquet") for name in ("flows", "queues", "links", "visits"))
        about += graphs
        for name, table in (("flow", flows), ("queue", queues), ("link", links), ("visit", visits)):
            counts[name].append(np.bincount(table["graph"].to_numpy(), minlength=len(graphs)))
        arrays = {
            "flow_x": _columns(flows, "x_"),
            "queue_x": _columns(queues, "x_"),
            "link_x": _columns(links, "x_"),
            "queue_link": queues["link"].to_numpy(),
            "queue_share": queues["link_share"].to_numpy().astype(np.float32),
            "visit_cell": visits["flow"].to_numpy() * POSITIONS + visits["position"].to_numpy(),
            "visit_queue": visits["queue"].to_numpy(),
            "visit_share": visits["share"].to_numpy().astype(np.float32),
            "visit_weight": visits["weight"].to_numpy().astype(np.float32),
            "mean_unit": _columns(flows, "mean_unit_"),
            "tail_unit": _columns(flows, "tail_unit_"),
            # Targets; NaN where nothing was measured.
            "log_mean": flows["log_mean"].to_numpy(zero_copy_only=False).astype(np.float32),
            "log_p99": flows["log_p99"].to_numpy(zero_copy_only=False).astype(np.float32),
            "relative_sd": flows["relative_sd"].to_numpy(zero_copy_only=False).astype(np.float32),
            "delivered": flows["delivered"].to_numpy().astype(np.float32),
            "lost": flows["lost"].to_numpy().astype(np.float32),
            "load": np.array([about["load"] for about in graphs], dtype=np.float32)[flows["graph"].to_numpy()],
        }
        for name, array in arrays.items():
            parts.setdefault(name, []).append(array)
    first = {name: np.concatenate([[0], np.cumsum(np.concatenate(c))]) for name, c in counts.items()}
    return Graphs(about, {name: np.concatenate(pieces) for name, pieces in parts.items()}, first)
