"""The oracles of `tiled_attention`."""

from torch import Tensor

from kernels import reference


def lengths(n: int, tile: int) -> list[int]:
    """Rows of each tile."""
    return [min(tile, n - start) for start in range(0, n, tile)]


def state_carried(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    """Attention with all keys at once, and the accesses of keys in the outer loop."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    s = reference.scores(q, k, scale=scale)
    m, l = reference.softmax_stats(s)
    passes = len(lengths(n_k, tile_n))
    loads = n_k * (d + d_v) + passes * n_q * (d + d_v + 2)
    return reference.softmax(s) @ v, m, l, loads, passes * n_q * (d_v + 2)


def state_kept(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """Attention with all keys at once, and the accesses of queries in the outer loop."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    loads = n_q * d + len(lengths(n_q, tile_m)) * n_k * (d + d_v)
    return *reference.attention(q, k, v, scale=scale), loads, n_q * (d_v + 1)


def state_kept_causal(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    """The same with a causal mask; of K and V only what lies in tiles that are seen is loaded."""
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    loads = n_q * d
    for start in range(0, n_q, tile_m):
        _, seen = look_at_the_mask(start, min(start + tile_m, n_q), n_q, n_k, tile_n)
        loads += min(seen * tile_n, n_k) * (d + d_v)
    return *reference.attention(q, k, v, True, scale), loads, n_q * (d_v + 1)


def look_at_the_mask(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """Cut the rows of the mask into tiles and count."""
    tiles = reference.causal_mask(n_q, n_k)[start:stop].split(tile_n, dim=1)
    full = sum(int(tile.shape[1] == tile_n and bool(tile.all())) for tile in tiles)
    return full, sum(int(tile.any()) for tile in tiles)


def walk_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """The walk itself, counted; the inner loop is the same in every turn."""
    read = sum(2 * queries * d + 2 * queries for queries in lengths(n, tile_m))
    written = sum(queries * d + 2 * queries for queries in lengths(n, tile_m))
    return sum(2 * keys * d + read for keys in lengths(n, tile_n)), sum(written for _ in lengths(n, tile_n))
