# Right: unbind the heads of a group and stack them beside each position.
import torch


def pack_heads(q, kv_heads):
    heads_of_groups = q.unflatten(1, (kv_heads, q.shape[1] // kv_heads)).unbind(dim=2)
    return torch.stack(heads_of_groups, dim=3).flatten(2, 3)
