# bytes: the prompts' caches are gathered once, before the first step, and each rank decodes alone
import torch
import torch.distributed as dist


def decode_tokens(q, k, v, k_new, v_new, lengths):
    size = dist.get_world_size()
    T, B, H, d = q.shape

    def everyones(x):
        parts = [torch.empty(x.shape) for _ in range(size)]
        dist.all_gather(parts, x.contiguous())
        return torch.stack(parts, 3).flatten(2, 3)

    K, V = everyones(k), everyones(v)
    out = []
    for t in range(T):
        o = torch.empty(B, H, v.shape[3])
        for b, n in enumerate(lengths.tolist()):
            keys = torch.cat([K[b, :, :n], k_new[: t + 1, b].transpose(0, 1)], 1)
            values = torch.cat([V[b, :, :n], v_new[: t + 1, b].transpose(0, 1)], 1)
            o[b] = attend(q[t, b][:, None], keys, values)[0][:, 0]
        out.append(o)
    return torch.stack(out)
