# style: vLLM reference style: ref_paged_attn with gathers per sequence
import torch
from torch import Tensor


def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    num_kv_heads, block_size = k_pool.shape[1], k_pool.shape[2]
    group, query_len = q.shape[1] // num_kv_heads, q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for i, kv_len in enumerate(lengths.tolist()):
        if kv_len == 0:
            continue
        num_kv_blocks = (kv_len + block_size - 1) // block_size
        block_indices = tables[i, :num_kv_blocks].long()
        k = k_pool[block_indices].transpose(0, 1).flatten(1, 2)[:, :kv_len]
        v = v_pool[block_indices].transpose(0, 1).flatten(1, 2)[:, :kv_len]
        query = q[i].unflatten(0, (num_kv_heads, group)).flatten(1, 2)  # (H_kv, group * N_q, d)
        attn = query @ k.mT * scale
        mask = torch.ones(query_len, kv_len).triu(diagonal=kv_len - query_len + 1).bool()
        attn = attn.unflatten(1, (group, query_len)).masked_fill(mask, float("-inf"))
        attn = torch.softmax(attn, dim=-1).nan_to_num(0.0).flatten(1, 2)
        o[i] = (attn @ v).unflatten(1, (group, query_len)).flatten(0, 1)
    return o
