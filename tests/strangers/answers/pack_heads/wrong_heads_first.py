# Heads of a group come one after the other with all positions of each (no swap of the two axes).
import torch


def pack_heads(q, kv_heads):
    batch, heads, n, d = q.shape
    return q.reshape(batch, kv_heads, heads // kv_heads * n, d)
