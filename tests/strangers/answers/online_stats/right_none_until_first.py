# keeps the maximum as None until an unmasked element comes, skips masked ones
def online_stats(stream):
    m = l = None
    for x in stream:
        if np.isneginf(x):
            continue
        if m is None:
            m, l = x, np.float32(1)
        elif x > m:
            m, l = x, l * np.exp(m - x) + np.float32(1)
        else:
            l = l + np.exp(x - m)
    return (m, l) if m is not None else (np.float32(-np.inf), np.float32(0))
