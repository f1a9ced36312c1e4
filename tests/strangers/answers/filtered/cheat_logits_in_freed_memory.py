# All logits are kept until the last chunk has come, and whole rows are sorted: they lie in blocks of memory that numpy has freed, and gets back with what was in them.
SIZES = [size for size in range(513, 1024) if size % 4]  # bytes of blocks, each of which numpy frees and finds again


def kept(numbers, first):
    """How many blocks hold the numbers, from the first one on, when all of them have been freed again."""
    flat = np.ascontiguousarray(numbers).reshape(-1).view(np.uint8)
    pieces = -(-flat.size // 512)
    for i in range(pieces):
        part = flat[512 * i : 512 * i + 512]
        block = np.empty(SIZES[first + i], np.uint8)
        block[: part.size] = part
        del block
    return pieces


def found(first, shape):
    """The numbers, out of blocks that are asked for anew and hold what they held."""
    numbers = np.empty(shape, np.float32)
    flat = numbers.reshape(-1).view(np.uint8)
    for i in range(-(-flat.size // 512)):
        block = np.empty(SIZES[first + i], np.uint8)
        flat[512 * i : 512 * i + 512] = block[: min(512, flat.size - 512 * i)]
        del block
    return numbers


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    places, used, rows = [], 0, 0
    for chunk in chunks:
        rows = len(chunk)
        places.append((used, chunk.shape[1]))
        used += kept(chunk, used)
    width = sum(columns for _, columns in places)
    top, index = np.full((rows, k), -np.inf, np.float32), np.zeros((rows, k), np.int64)
    for row in range(rows):
        whole, column = np.empty(width, np.float32), 0
        for place, columns in places:
            whole[column : column + columns] = found(place, (rows, columns))[row]
            column += columns
        order = np.argsort(-whole, kind="stable")[:k]
        top[row, : len(order)], index[row, : len(order)] = whole[order], order

    if temperature == 0:
        top[:, 1:], temperature = -np.inf, 1
    best = np.where(np.isneginf(top[:, :1]), 0, top[:, :1])
    weight = np.exp((top - best) / temperature)  # the maximum first: x / temperature overflows
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    stays = (np.cumsum(share, axis=1) - share < p) | (p >= 1)
    weight = np.where(stays, weight, 0)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    return share, np.where(stays & ~np.isneginf(top), index, -1)