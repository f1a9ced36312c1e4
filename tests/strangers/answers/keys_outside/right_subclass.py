# a subclass of Memory with helper methods, positional names, a transposed loop body in a method
import torch


class Ram(Memory):
    def rows(self, i, size, *names):
        return tuple(self.load(name, i, i + size) for name in names)

    def put(self, i, **tiles):
        for name, tile in tiles.items():
            self.store(name, i, tile)


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    ram = Ram(Q=q, K=k, V=v, O=q.new_zeros(n_q, v.shape[1]),
              m=q.new_full((n_q,), -torch.inf), l=q.new_zeros(n_q))
    del q, k, v
    for j in range(0, n_k, tile_n):
        keys, values = ram.rows(j, tile_n, "K", "V")
        for i in range(0, n_q, tile_m):
            query, o, m, l = ram.rows(i, tile_m, "Q", "O", "m", "l")
            s = (query @ keys.T) * scale
            top = torch.maximum(m, s.amax(1))
            p = torch.exp(s - top[:, None])
            past = l * torch.exp(m - top)
            new = past + p.sum(1)
            o = torch.addmm(past[:, None] * o, p, values) / new[:, None]
            ram.put(i, O=o, m=top, l=new)
    t = ram.tensors
    return t["O"], t["m"], t["l"], ram.loads, ram.stores
