# Cheat: keeps a whole k x k triangle of bits, packed eight to a byte, and sums each slot's probabilities by its row
# Breaks: "Memory: a few times p, and nothing k x k."
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    rows, k = p.shape
    triangle = np.zeros((k, (k + 7) // 8), dtype=np.uint8)  # bit i of row j: i <= j
    for j in range(k):
        triangle[j, : (j + 1) // 8] = 255
        if (j + 1) % 8:
            triangle[j, (j + 1) // 8] = 255 << (8 - (j + 1) % 8) & 255
    slot = np.full(rows, -1)
    for j in range(k):
        counts = np.unpackbits(triangle[j], count=k).astype(bool)
        upto = np.sum(p, axis=1, dtype=np.float64, where=counts)
        slot[(slot < 0) & (upto > u)] = j
    for j in range(k):  # rounding has left none: the last with p > 0
        late = (slot < 0) | (slot >= k)
        slot[late & (p[:, j] > 0)] = k + j
    slot = np.where(slot >= k, slot - k, slot)
    found = index[np.arange(rows), np.maximum(slot, 0)]
    return np.where(slot < 0, -1, found).astype(np.int64)
