"""Tiled attention in both orders of its loops, over a main memory that counts what is moved.

One head at a time. Left out: batches and heads (they are independent), half precision, and
tiles that are processed at the same time.
"""

import torch
from torch import Tensor


class Memory:
    """Main memory: named tensors, whose tiles of rows go to the chip and back, all counted.

    loads, stores: how many numbers have been moved to the chip and from it.
    """

    def __init__(self, **tensors: Tensor):
        self.tensors = tensors
        self.loads = self.stores = 0

    def load(self, name: str, start: int, stop: int) -> Tensor:
        """A copy of rows start to stop - 1, or of fewer where the tensor ends."""
        tile = self.tensors[name][start:stop].clone()
        self.loads += tile.numel()
        return tile

    def store(self, name: str, start: int, tile: Tensor) -> None:
        """Write the rows of `tile` over those from row start on."""
        self.tensors[name][start : start + len(tile)] = tile
        self.stores += tile.numel()


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with the tiles of keys in the outer loop and the tiles of queries in the inner.

    For each tile of tile_n keys: load its rows of K and V, once. Then for each tile of tile_m
    queries: load its rows of Q, O, m and l, bring them up to date, and store O, m and l. A tile
    may be loaded a turn early, and stored a turn late.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v), m (N_q,), l (N_q,), same dtype, and the loads and stores of main
    memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v) + N_k) numbers.
    Each score is computed once. Torch runs at most 60 operations for each pair of tiles, and 60
    for each tile of either side.

        m' = max(m, rowmax S)      P = exp(S - m')      l' = l e^(m - m') + rowsum P
        O' = (l e^(m - m') O + P V) / l'

    Dao et al. (FlashAttention, 2022), algorithm 1.
    """
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    ### BEGIN SOLUTION
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            s = scale * (hbm.load("Q", i, i + tile_m) @ k_tile.T)
            o, m, l = (hbm.load(name, i, i + tile_m) for name in ("O", "m", "l"))
            m_new = torch.maximum(m, s.amax(dim=-1))
            past = l * torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l_new = past + p.sum(dim=-1)
            hbm.store("O", i, (past[:, None] * o + p @ v_tile) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    ### END SOLUTION
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores


def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """What `keys_outside` moves for n queries, n keys and d = d_v.

    n: queries and keys; d: width of Q, K, V and O; tile_m, tile_n: queries and keys of a tile;
    ints of any size.
    Returns (loads, stores), two ints, in numbers. What O, m and l begin with is in main memory
    before; the first turn loads it like any other.
    """
    passes = -(-n // tile_n)
    return 2 * n * d + passes * (2 * n * d + 2 * n), passes * (n * d + 2 * n)


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with the tiles of queries in the outer loop and the tiles of keys in the inner.

    For each tile of tile_m queries: load its rows of Q, once. Then for each tile of tile_n
    keys: load its rows of K and V. acc, m and l stay on the chip; at the end, store O and L.
    A tile may be loaded a turn early, and stored a turn late.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers.
    The last tile of either side is what is left. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    Memory: O(N_q d_v + tile_m (tile_n + d + d_v) + tile_n (d + d_v) + N_k) numbers.
    Each score is computed once. Torch runs at most 60 operations for each pair of tiles, and 60
    for each tile of either side.

        m' = max(m, rowmax S)      a = exp(m - m')      P = exp(S - m')
        acc' = a acc + P V         l' = a l + rowsum P

    and at the end O = acc / l, L = m + log l; or O is kept divided on the way. Dao
    (FlashAttention-2, 2023), algorithm 1.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    ### BEGIN SOLUTION
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            m_new = torch.maximum(m, s.amax(dim=-1))
            alpha = torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    ### END SOLUTION
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all.

    start, stop: 0 <= start < stop <= n_q.
    causal: query i of n_q sees the keys j <= i + n_k - n_q of n_k, so the last query sees all.
    tile_n: keys of a tile; tile t holds the keys from t tile_n on, the last one what is left.
    Returns (full, seen), two ints with 0 <= full <= seen: every one of these queries sees all
    tile_n keys of the tiles 0 to full - 1; some of them see some of the tiles full to seen - 1;
    none sees anything of the tiles from seen on. full is the largest such number.
    """
    first, last = start + 1 + n_k - n_q, stop + n_k - n_q  # keys that these two queries see
    return max(0, first) // tile_n, -(-max(0, last) // tile_n)


def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """`queries_outside` with a causal mask: tiles that nobody sees are never loaded.

    Of K and V it loads the `visible_tiles` of each tile of queries, multiplies them, no others
    and each once, and masks what a query does not see. Q is loaded, and O and L are stored,
    for queries that see no key too.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32. tile_m, tile_n, scale: as there.
    Query i sees the keys j <= i + N_k - N_q.
    Returns o (N_q, d_v) and the log-sum-exp L (N_q,), same dtype, and the loads and stores of
    main memory, in numbers. A query that sees no key gives 0 and -inf. Memory: as there;
    operations of torch, too.
    """
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    ### BEGIN SOLUTION from queries_outside
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        full, seen = visible_tiles(i, i + len(q_tile), n_q, n_k, tile_n)
        for tile in range(seen):
            j = tile * tile_n
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            if tile >= full:
                query = torch.arange(i, i + s.shape[0])[:, None]
                key = torch.arange(j, j + s.shape[1])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    ### END SOLUTION
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
