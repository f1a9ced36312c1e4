"""Operations, bytes and accesses of attention, over a prompt and over a cache.

Counts are whole numbers (int) of any size. In all of them a multiplication and an addition are
two operations, what the softmax does beside the two products is left out, nothing is masked.
"""


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """What attention costs when the n tokens of each prompt attend to each other.

    batch: prompts. heads: every one has queries, keys and values of its own.
    d: width of a head. Q, K, V and O are (batch, heads, n, d) in main memory.
    itemsize: bytes of one number.
    Returns flops and bytes_moved, two ints: the products S = Q K^T and O = P V; Q, K, V
    and O cross once each, S and P not at all.
    """
    flops = 4 * batch * heads * n * n * d
    bytes_moved = 4 * batch * heads * n * d * itemsize
    return flops, bytes_moved


def standard_attention_accesses(n: int, d: int) -> tuple[int, int]:
    """Numbers that standard attention of one head moves, with three kernels one after another.

    n: queries, and keys. d: width of the head. Q, K, V, O: (n, d); S, P: (n, n).
    Returns loads and stores, two ints, in elements: every kernel reads each of its operands
    from main memory once and writes its result there once.

        S = Q K^T        P = softmax(S)        O = P V

    Dao et al. (FlashAttention, 2022), algorithm 0.
    """
    loads = 2 * n * d + n * n + (n * n + n * d)
    stores = n * n + n * n + n * d
    return loads, stores


def largest_tile(d: int, on_chip: int) -> int:
    """Rows B of the largest tiles of Q, K, V and acc, each (B, d), that fit on chip together.

    d: width of a head. on_chip: numbers that fit, M, at least 4 d. The tile of S is not
    counted. Returns B, a whole number (int), which may be larger than d.
    """
    return on_chip // (4 * d)


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    """Numbers that flash attention of one head moves, a tile of queries at a time.

    n: queries, and keys. d: width of the head. Q, K, V, O: (n, d); L: (n,).
    on_chip: numbers that fit there; a tile has largest_tile(d, on_chip) queries.
    Returns loads and stores, two ints, in elements. Each tile of queries is read once, then
    all keys and all values pass by; then its rows of O and its log-sum-exps L are written. The
    last tile has the queries that are left, and moves no more than these.

    Dao (FlashAttention-2, 2023), algorithm 1.
    """
    tiles = -(-n // largest_tile(d, on_chip))
    loads = n * d + tiles * 2 * n * d
    stores = n * d + n
    return loads, stores


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    """What attention costs when one new token of each sequence attends to the n in its cache.

    batch: sequences, each with a cache of its own. n: tokens in a cache, the new one included.
    heads: query heads. kv_heads: heads of keys and values, each shared by heads / kv_heads
    query heads: all of them in multi-query attention (kv_heads = 1), one in multi-head
    attention (kv_heads = heads). d: width of a head. itemsize: bytes of one number.
    Q and O are (batch, heads, 1, d), K and V (batch, kv_heads, n, d), all in main memory.
    Returns flops and bytes_moved, two ints, counted as in `prefill_cost`.
    """
    flops = 4 * batch * heads * n * d
    bytes_moved = (2 * batch * heads * d + 2 * batch * kv_heads * n * d) * itemsize
    return flops, bytes_moved
