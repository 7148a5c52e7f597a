"""Message passing among flows, queues and links, after RouteNet-Fermi (Ferriol-Galmes and others 2023), in plain tensors.

A flow's state passes along the queues of its way by a gated recurrent unit; a queue's is made anew from the states of flows at it,
weighted by the load that each brings; a link's from its queues. After some rounds each position of a way gives a factor to the M/D/1
wait there; the sum over the way is the wait. Sums over ways, means over neighbours: nothing depends on how large a fabric is.
"""

import torch
from torch import nn


def mlp(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class Gru(nn.Module):
    """A gated recurrent unit (Cho and others 2014) whose input is already multiplied by its weights."""

    def __init__(self, size):
        super().__init__()
        self.size = size
        self.state = nn.Linear(size, 3 * size)

    def forward(self, given, state):
        own = self.state(state)
        d = self.size
        keep = torch.sigmoid(given[..., :d] + own[..., :d])
        reset = torch.sigmoid(given[..., d:2 * d] + own[..., d:2 * d])
        fresh = torch.tanh(given[..., 2 * d:] + reset * own[..., 2 * d:])
        return keep * state + (1 - keep) * fresh


def gather_sum(values, index, rows):
    """Sums rows of `values` by `index` into so many rows."""
    out = torch.zeros(rows, values.shape[1], dtype=values.dtype)
    return out.index_put((index,), values, accumulate=True)


class Network(nn.Module):
    def __init__(self, flow, queue, link, size, rounds):
        super().__init__()
        self.size, self.rounds = size, rounds
        self.flow = mlp(flow, size, size)
        self.queue = mlp(queue + link, size, size)
        self.link = mlp(link, size, size)
        self.along = Gru(size)
        self.seen = nn.Linear(2 * size, size)
        self.along_given = nn.Linear(size, 3 * size)
        self.at_queue = Gru(size)
        self.at_queue_given = nn.Linear(size, 3 * size)
        self.at_link = Gru(size)
        self.at_link_given = nn.Linear(size, 3 * size)
        self.factors = mlp(size + flow, 2 * size, 2)

    def forward(self, flow_x, queue_x, link_x, queue_link, queue_share, visit_cell, visit_queue, visit_share, visit_weight,
                mean_unit, tail_unit):
        flows, positions = flow_x.shape[0], mean_unit.shape[1]
        cells = mean_unit.reshape(-1).shape[0]
        on_way = (mean_unit > 0).to(flow_x.dtype)
        h_flow = torch.relu(self.flow(flow_x))
        h_link = torch.relu(self.link(link_x))
        h_queue = torch.relu(self.queue(torch.cat([queue_x, link_x[queue_link]], 1)))
        states = h_flow.unsqueeze(1)
        for _ in range(self.rounds):
            seen = torch.relu(self.seen(torch.cat([h_queue, h_link[queue_link]], 1)))
            seen = gather_sum(seen[visit_queue] * visit_share.unsqueeze(1), visit_cell, cells)
            given = self.along_given(seen).reshape(-1, positions, 3 * self.size)
            state, along = h_flow, []
            for position in range(positions):
                there = on_way[:, position:position + 1]
                state = there * self.along(given[:, position], state) + (1 - there) * state
                along.append(state)
            h_flow = state
            states = torch.stack(along, 1)
            came = gather_sum(states.reshape(-1, self.size)[visit_cell] * visit_weight.unsqueeze(1), visit_queue,
                              queue_x.shape[0])
            h_queue = self.at_queue(self.at_queue_given(came), h_queue)
            came = gather_sum(h_queue * queue_share.unsqueeze(1), queue_link, link_x.shape[0])
            h_link = self.at_link(self.at_link_given(came), h_link)
        seen = torch.cat([states, flow_x.unsqueeze(1).expand(-1, positions, -1)], 2)
        factors = torch.exp(torch.clamp(self.factors(seen), -8.0, 6.0))
        wait = torch.stack([(factors[:, :, 0] * mean_unit).sum(1), (factors[:, :, 1] * tail_unit).sum(1)], 1)
        return torch.log1p(wait)


class Ensemble(nn.Module):
    """Several networks as one: members by flows by (mean, p99), each ln(latency / T_ab)."""

    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, *inputs):
        return torch.stack([member(*inputs) for member in self.members], 0)
