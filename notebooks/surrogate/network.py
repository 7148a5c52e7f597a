"""Message passing among flows, queues and links, after RouteNet-Fermi (Ferriol-Galmes and others 2023), in plain tensors.

A flow's state passes along the queues of its way by a gated recurrent unit; a queue's is made anew from the states of flows at it,
weighted by the load that each brings; a link's from its queues. After some rounds each position of a way gives a factor to the M/D/1
wait there; the sum over the way is the wait. Sums over ways, means over neighbours: nothing depends on how large a fabric is.
"""

import torch
from torch import nn

from graphs import POSITIONS


def mlp(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class SumRows(torch.autograd.Function):
    """Adds rows of `values` to those rows of `to` that `index` names, several to one as well. In ONNX one operator, row by row; what
    PyTorch exports of its own is element by element (`scatter_add`) or, of 2.7, forgets to add (`index_put`)."""

    @staticmethod
    def forward(ctx, to, index, values):
        ctx.save_for_backward(index)
        return to.index_add(0, index, values)

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        return grad, None, grad[index]

    @staticmethod
    def symbolic(graph, to, index, values):
        axis = graph.op("Constant", value_t=torch.tensor([1]))
        return graph.op("ScatterND", to, graph.op("Unsqueeze", index, axis), values, reduction_s="add").setType(to.type())


class Network(nn.Module):
    def __init__(self, flow, queue, link, size, rounds):
        super().__init__()
        self.size, self.rounds = size, rounds
        self.flow = mlp(flow, size, size)
        self.queue = mlp(queue + link, size, size)
        self.link = mlp(link, size, size)
        self.seen = nn.Linear(2 * size, size)
        self.along_given = nn.Linear(size, size)
        self.along = nn.Linear(size, size)
        self.at_queue = nn.Linear(2 * size, size)
        self.at_link = nn.Linear(2 * size, size)
        self.factors_state = nn.Linear(size, 2 * size)
        self.factors_flow = nn.Linear(flow, 2 * size)
        self.factors = nn.Linear(2 * size, 2)

    def forward(self, flow_x, queue_x, link_x, queue_link, queue_share, visit_cell, visit_queue, visit_share, visit_weight,
                mean_unit, tail_unit):
        positions = POSITIONS
        no_cell = mean_unit.reshape(-1, 1) * torch.zeros(1, self.size)
        # Ways end at different positions: what comes behind the end is computed and never looked at.
        ends = torch.cumsum(torch.ones_like(flow_x[:, 0], dtype=torch.int64), 0) * positions - positions - 1
        ends = ends + (mean_unit > 0).to(torch.int64).sum(1)
        h_flow = torch.relu(self.flow(flow_x))
        h_link = torch.relu(self.link(link_x))
        h_queue = torch.relu(self.queue(torch.cat([queue_x, link_x[queue_link]], 1)))
        for _ in range(self.rounds):
            seen = torch.relu(self.seen(torch.cat([h_queue, h_link[queue_link]], 1)))
            seen = SumRows.apply(no_cell, visit_cell, seen[visit_queue] * visit_share.unsqueeze(1))
            given = self.along_given(seen).reshape(-1, positions, self.size)
            state, states = h_flow, []
            for position in range(positions):
                state = torch.relu(self.along(state) + given[:, position])
                states.append(state)
            states = torch.stack(states, 1).reshape(-1, self.size)
            h_flow = states[ends]
            came = SumRows.apply(h_queue * 0, visit_queue, states[visit_cell] * visit_weight.unsqueeze(1))
            h_queue = torch.relu(self.at_queue(torch.cat([came, h_queue], 1)))
            came = SumRows.apply(h_link * 0, queue_link, h_queue * queue_share.unsqueeze(1))
            h_link = torch.relu(self.at_link(torch.cat([came, h_link], 1)))
        factors = torch.relu(self.factors_state(states).reshape(-1, positions, 2 * self.size) + self.factors_flow(flow_x).unsqueeze(1))
        factors = torch.exp(torch.clamp(self.factors(factors), -8.0, 6.0))
        wait = (factors * torch.stack([mean_unit, tail_unit], 2)).sum(1)
        return torch.log1p(wait)


class Ensemble(nn.Module):
    """Several networks as one: members by flows by (mean, p99), each ln(latency / T_ab)."""

    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, *inputs):
        return torch.stack([member(*inputs) for member in self.members], 0)
