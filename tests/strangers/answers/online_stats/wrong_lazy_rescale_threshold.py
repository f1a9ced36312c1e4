# Ports the FlashAttention-4 trick: rescales only when the maximum grows by more than 8, and returns the stale reference as m, with l measured from it; any row whose maximum creeps up gives (too small m, too large l).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    ref, acc = np.float32(-np.inf), np.float32(0)
    for x in stream:
        if np.isneginf(x):
            continue
        if x - ref > 8:
            acc = acc * np.exp(ref - x)
            ref = x
        acc = acc + np.exp(x - ref)
    return ref, np.float32(acc)
