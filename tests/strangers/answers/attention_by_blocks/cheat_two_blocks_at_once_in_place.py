# memory and products ("one block of keys at a time"): 40 bytes for each score of a block leave room for two blocks, all in place: neighbours in the order are one piece, with one maximum, and half as many merges
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    query = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for first in range(0, len(order), 2):
        pieces = [slice(b * tile_n, min((b + 1) * tile_n, n_k)) for b in order[first : first + 2]]
        ends = [0, *(piece.stop - piece.start for piece in pieces)]
        places = [slice(sum(ends[: i + 1]), sum(ends[: i + 2])) for i in range(len(pieces))]
        s = q.new_empty(n_q, sum(ends))
        for piece, place in zip(pieces, places):
            s[:, place] = q @ k[piece].T
            s[:, place] *= scale
            if causal:
                s[:, place].masked_fill_(torch.arange(piece.start, piece.stop) > query, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        s -= shift[:, None]
        s.exp_()
        past = l * torch.exp(m - shift)
        l = past + s.sum(dim=1)
        o *= past[:, None]
        for piece, place in zip(pieces, places):
            o += s[:, place] @ v[piece]
        o /= torch.where(l == 0, 1, l)[:, None]
        m = m_new
    return o, m + torch.log(l)
