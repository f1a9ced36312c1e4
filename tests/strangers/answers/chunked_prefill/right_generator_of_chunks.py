# A generator of chunks; online over tiles of keys, in a small class.
import torch


class State:
    def __init__(self, rows, width):
        self.acc = torch.zeros(rows, width)
        self.m = torch.full((rows,), -torch.inf)
        self.l = torch.zeros(rows)

    def see(self, s, v):
        m = torch.maximum(self.m, s.amax(1))
        a, p = torch.exp(self.m - m), torch.exp(s - m[:, None])
        self.acc = self.acc * a[:, None] + p @ v
        self.l = self.l * a + p.sum(1)
        self.m = m


def chunked_prefill(q, k, v, chunk, scale=None):
    c = q.shape[1] ** -0.5 if scale is None else scale
    before = len(k) - len(q)

    def chunks():
        for a in range(0, len(q), chunk):
            rows = q[a : a + chunk]
            state = State(len(rows), v.shape[1])
            end = before + a + len(rows)
            for j in range(0, end, chunk):
                stop = min(j + chunk, end)
                s = c * (rows @ k[j:stop].T)
                i = torch.arange(before + a, end)
                s = torch.where(torch.arange(j, stop)[None] <= i[:, None], s, -torch.inf)
                state.see(s, v[j:stop])
            yield state.acc / state.l[:, None]

    return torch.cat([q.new_empty(0, v.shape[1]), *chunks()])
