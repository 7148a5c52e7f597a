"""Trains the ensemble behind `surrogate_gnn` and exports it.

  .venv-surrogate/bin/python notebooks/surrogate/train.py out/surrogate-graphs --out models/surrogate_gnn.onnx

Learns from single switches, leaf-spines and rails of up to 16 hosts, but for a fifth of their points, by key, and three bands of loads;
stops early on dragonflies, and is tested on what it never saw: those, more hosts, fat-trees, and whatever larger fabrics the folders
hold. Each epoch ends with a checkpoint in --work, from which the same command goes on. One thread, fixed seeds: the same folders give
the same figures, and the same bytes. Beside the .onnx a .json says what it learnt from, for what it holds, and how far it is off.
"""

import argparse
import hashlib
import json
import pathlib
import sys
import time

import numpy as np
import torch

import graphs as g
import network as n

LEARN = ("single-switch", "leaf-spine", "rail-optimized")
STOP = "dragonfly"
LEARN_HOSTS = 16
#: Loads that are in no fit: each the width of a twentieth.
UNSEEN_LOADS = ((0.30, 0.35), (0.55, 0.60), (0.80, 0.85))
BATCH_FLOWS = 500
#: Of flow_x.
NIC_LOAD = 3


def held_out(about):
    """How a graph is held out, as `rhosweep compare` names it; None if it is learnt from."""
    if about["topology"] == STOP:
        return "stop"
    if about["topology"] not in LEARN:
        return "unseen_setting larger" if about["hosts"] > 4 * LEARN_HOSTS else "unseen_setting"
    if about["hosts"] > LEARN_HOSTS:
        return "8x larger" if about["hosts"] > 4 * LEARN_HOSTS else "larger_flows"
    if any(low <= about["load"] < high for low, high in UNSEEN_LOADS):
        return "unseen_loads"
    return "random" if int(about["point_key"][:8], 16) % 5 == 0 else None


def batches(data, numbers, rng=None):
    """Batches of about so many flows each, in an order drawn by `rng`."""
    order = rng.permutation(numbers) if rng is not None else numbers
    sizes = np.diff(data.first["flow"])
    batch, flows = [], 0
    for i in order:
        batch.append(i)
        flows += sizes[i]
        if flows >= BATCH_FLOWS:
            yield batch
            batch, flows = [], 0
    if batch:
        yield batch


def noise_of(batch):
    """Relative standard error of a pair's mean: of so many independent messages, and of a queue that forgets in 1/(1-rho)^2 of them."""
    load = torch.clamp(batch["load"], max=0.97)
    together = 1 + 2 * batch["flow_x"][:, NIC_LOAD] / load / (1 - load) ** 2
    return batch["relative_sd"] * torch.sqrt(together / torch.clamp(batch["delivered"], min=1))


def loss_of(said, batch):
    """Huber's loss of both logarithms; a pair known to less than 3% weighs less."""
    known = noise_of(batch)
    total = 0
    for column, target, factor in ((0, "log_mean", 1.0), (1, "log_p99", 0.3)):
        there = ~torch.isnan(batch[target]) & (batch["lost"] <= 0.001 * batch["delivered"])
        weight = 1 / (1 + (torch.nan_to_num(known[there], nan=1.0) / 0.03) ** 2)
        error = torch.nn.functional.huber_loss(said[there, column], batch[target][there], reduction="none", delta=0.1)
        total = total + factor * (weight * error).sum() / torch.clamp(weight.sum(), min=1e-6)
    return total


def errors(predict, data, numbers):
    """Relative errors of flows of which nothing was lost: dicts with regime and topology beside them."""
    rows = []
    for batch_numbers in batches(data, numbers):
        batch = data.batch(batch_numbers)
        said = predict(batch)
        owner = np.repeat(batch_numbers, np.diff(data.first["flow"])[batch_numbers])
        for column, target in ((0, "log_mean"), (1, "log_p99")):
            off = np.abs(np.expm1(said[:, column] - batch[target].numpy()))
            idle = np.abs(np.expm1(-batch[target].numpy()))
            noise = noise_of(batch).numpy()
            fine = ~np.isnan(off) & (batch["lost"].numpy() <= 0.001 * batch["delivered"].numpy())
            rows += [(target, int(owner[i]), float(off[i]), float(idle[i]), float(noise[i])) for i in np.flatnonzero(fine)]
    return rows


def summary(data, rows):
    """Mean relative error by way of holding out, topology, target and regime; beside it alpha-beta's alone, and noise in the means."""
    groups = {}
    for target, graph, off, idle, noise in rows:
        about = data.about[graph]
        for topology in (about["topology"], "all"):
            for regime in (about["regime"], "all"):
                groups.setdefault((held_out(about) or "learnt", topology, target, regime), []).append((off, idle, noise))
    return [
        {"held_out": name, "topology": topology, "target": target, "regime": regime, "flows": len(v),
         "error": float(np.mean([x[0] for x in v])), "alpha_beta": float(np.mean([x[1] for x in v])),
         "noise": float(np.nanmean([x[2] for x in v])) * float(np.sqrt(2 / np.pi))}
        for (name, topology, target, regime), v in sorted(groups.items())
    ]


def train(data, learn, stop, seed, args, work):
    """One member; goes on from its checkpoint, if there is one of the same settings and data."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    shape = [data.arrays[k].shape[1] for k in ("flow_x", "queue_x", "link_x")]
    net = n.Network(*shape, size=args.size, rounds=args.rounds)
    adam = torch.optim.Adam(net.parameters(), lr=args.rate)
    sizes = np.diff(data.first["flow"])
    steps = args.epochs * max(1, int(sizes[learn].sum() / BATCH_FLOWS))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps, eta_min=args.rate / 50)
    best, best_state, best_epoch, epoch, spent = float("inf"), None, 0, 0, 0.0
    file = work / f"member-{seed}.pt"
    settings = {k: getattr(args, k) for k in ("size", "rounds", "rate", "epochs", "patience")} | {"data": args.digest}
    if file.exists():
        kept = torch.load(file, weights_only=False)
        if kept["settings"] != settings:
            sys.exit(f"{file}: a checkpoint of other settings or data. Maybe another --work")
        net.load_state_dict(kept["net"])
        adam.load_state_dict(kept["adam"])
        schedule.load_state_dict(kept["schedule"])
        rng.bit_generator.state = kept["rng"]
        best, best_state, best_epoch, epoch, spent = (
            kept[k] for k in ("best", "best_state", "best_epoch", "epoch", "spent"))
    while epoch < args.epochs and epoch - best_epoch < args.patience:
        began, sums = time.process_time(), []
        net.train()
        for numbers in batches(data, learn, rng):
            batch = data.batch(numbers)
            loss = loss_of(net(*(batch[k] for k in g.INPUTS)), batch)
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            adam.step()
            schedule.step()
            sums.append(loss.item())
        net.eval()
        held = errors(lambda b: net(*(b[k] for k in g.INPUTS)).detach().numpy(), data, stop)
        off = float(np.mean([r[2] for r in held if r[0] == "log_mean"]))
        epoch += 1
        spent += time.process_time() - began
        if off < best:
            best, best_epoch = off, epoch
            best_state = {k: v.clone() for k, v in net.state_dict().items()}
        kept = {"net": net.state_dict(), "adam": adam.state_dict(), "schedule": schedule.state_dict(),
                "rng": rng.bit_generator.state, "best": best, "best_state": best_state, "best_epoch": best_epoch,
                "epoch": epoch, "spent": spent, "settings": settings}
        torch.save(kept, file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)
        print(f"member {seed} epoch {epoch}: loss {np.mean(sums):.5f}, {STOP} {100 * off:.2f}% "
              f"(best {100 * best:.2f}% at {best_epoch}), {spent:.0f} s", flush=True)
    net.load_state_dict(best_state)
    net.eval()
    return net, {"seed": seed, "epochs": epoch, "best_epoch": best_epoch, "cpu_s": round(spent)}


def export(ensemble, example, file):
    axes = {name: {0: name.split("_")[0] if name not in ("mean_unit", "tail_unit") else "flow"} for name in g.INPUTS}
    torch.onnx.export(ensemble, tuple(example[k] for k in g.INPUTS), str(file), input_names=list(g.INPUTS),
                      output_names=["log_ratio"], dynamic_axes=axes | {"log_ratio": {1: "flow"}}, opset_version=18,
                      dynamo=False)


def span(values):
    return {"low": float(min(values)), "high": float(max(values))}


def intervals(data, rows):
    """By regime and target the 0.95-quantile of |ln(predicted / measured)| over flows that were held out, of all kinds alike."""
    offs = {}
    for target, graph, off, _, _ in rows:
        if held_out(data.about[graph]) is not None:
            offs.setdefault(data.about[graph]["regime"], {}).setdefault(target, []).append(off)
    return {regime: {t: float(np.log1p(np.quantile(v, 0.95))) for t, v in of.items()} for regime, of in sorted(offs.items())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", help="of `rhosweep dataset`")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the .onnx; a .json of the same name goes beside it")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("out/surrogate-training"))
    parser.add_argument("--every", type=int, default=1, help="only every so manieth graph: a trial")
    parser.add_argument("--members", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--patience", type=int, default=12, help="epochs without a better one on dragonflies")
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=float, default=3e-3)
    args = parser.parse_args()
    if args.out.suffix != ".onnx":
        parser.error(f"--out {args.out}: expected a name that ends in .onnx")
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    args.work.mkdir(parents=True, exist_ok=True)
    data = g.read(args.folders).every(args.every)
    args.digest = hashlib.sha256(b"".join(a.tobytes() for a in data.arrays.values())).hexdigest()[:16]
    learn = data.where(lambda a: held_out(a) is None)
    stop = data.where(lambda a: held_out(a) == "stop")
    print(f"{len(data)} graphs: {len(learn)} to learn from, {len(stop)} to stop by", flush=True)
    trained = [train(data, learn, stop, seed, args, args.work) for seed in range(1, args.members + 1)]
    ensemble = n.Ensemble([net for net, _ in trained])
    ensemble.eval()
    export(ensemble, data.batch(learn[:2]), args.out)

    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(args.out), options)

    def predict(batch):
        return session.run(None, {k: batch[k].numpy() for k in g.INPUTS})[0].mean(0)

    # An exporter may drop an operator's attribute without a word.
    for example in (data.batch(stop[:3]), data.batch(learn[-2:])):
        apart = np.abs(predict(example) - ensemble(*(example[k] for k in g.INPUTS)).detach().numpy().mean(0)).max()
        if not apart < 1e-5:
            sys.exit(f"{args.out}: onnxruntime and PyTorch differ by {apart}: the export is broken")

    all_errors = errors(predict, data, np.arange(len(data)))
    rows = summary(data, all_errors)
    learnt = [data.about[i] for i in learn]
    tested = [a for a in data.about]
    idle = data.arrays["flow_x"][:, 1]
    idle = np.exp(5 * np.concatenate([idle[data.first["flow"][i]:data.first["flow"][i + 1]] for i in learn]))
    model = {
        "format": 1,
        "kind": "surrogate_gnn",
        "weights": args.out.name,
        "sha256": hashlib.sha256(args.out.read_bytes()).hexdigest(),
        "inputs": list(g.INPUTS),
        "semantics_version": learnt[0]["semantics_version"],
        "graphs": len(learn),
        "flows": int(np.diff(data.first["flow"])[learn].sum()),
        "data": args.digest,
        "settings": {k: getattr(args, k) for k in ("size", "rounds", "rate", "epochs", "patience", "every")},
        "members": [about for _, about in trained],
        "domain": {
            # Sizes and topologies that it was tested on; all else is what it learnt from.
            "hosts": span([a["hosts"] for a in tested]),
            "topologies": sorted({a["topology"] for a in tested}),
            "switch_hops": span([a["switch_hops"] for a in learnt]),
            "load": span([a["load"] for a in learnt]),
            "frames": span([a["frames"] for a in learnt]),
            "buffer_messages": span([a["buffer_messages"] for a in tested]),
            "idle_services": span(idle),
            "patterns": sorted({a["pattern"] for a in learnt}),
            "mechanisms": sorted({a["mechanism"] for a in learnt}),
        },
        "intervals": intervals(data, all_errors),
        "errors": rows,
        "learnt": sorted(a["point_key"] for a in learnt),
    }
    args.out.with_suffix(".json").write_text(json.dumps(model, indent=1) + "\n")
    for r in rows:
        print(f"{r['held_out']:22} {r['topology']:15} {r['target']:9} {r['regime']:11} {r['flows']:7} {100 * r['error']:7.2f}% "
              f"alpha-beta {100 * r['alpha_beta']:6.1f}% noise {100 * r['noise']:5.2f}%")


if __name__ == "__main__":
    main()
