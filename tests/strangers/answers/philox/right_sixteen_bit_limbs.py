# schoolbook products of 16-bit limbs, the keys of all rounds listed first, rounds by recursion over a flat array
def _halves(m, c):
    """Upper and lower 32 bits of m * c from four products of 16 bits."""
    low, sixteen = np.uint64(0xFFFF), np.uint64(16)
    m_low, m_high = np.uint64(m & 0xFFFF), np.uint64(m >> 16)
    c_low, c_high = c & low, c >> sixteen
    bottom = m_low * c_low
    middle = m_high * c_low + (bottom >> sixteen)
    other = m_low * c_high + (middle & low)
    upper = m_high * c_high + (middle >> sixteen) + (other >> sixteen)
    return upper, ((other & low) << sixteen) | (bottom & low)


def _mix(words, keys):
    if not keys:
        return words
    c0, c1, c2, c3 = words
    k0, k1 = keys[0]
    upper0, lower0 = _halves(0xD2511F53, c0)
    upper1, lower1 = _halves(0xCD9E8D57, c2)
    mixed = (upper1 ^ c1 ^ np.uint64(k0), lower1, upper0 ^ c3 ^ np.uint64(k1), lower0)
    return _mix(mixed, keys[1:])


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    counter = np.asarray(counter)
    flat = counter.reshape(-1, 4).astype(np.uint64)
    start0, start1 = int(key[0]), int(key[1])
    keys = []
    for i in range(rounds):
        keys.append(((start0 + i * 0x9E3779B9) % 2**32, (start1 + i * 0xBB67AE85) % 2**32))
    words = _mix(tuple(flat[:, i] for i in range(4)), keys)
    out = np.empty(flat.shape, dtype=np.uint32)
    for i in range(4):
        out[:, i] = words[i].astype(np.uint32)
    return out.reshape(counter.shape)
