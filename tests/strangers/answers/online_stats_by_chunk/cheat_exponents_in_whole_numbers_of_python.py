# the recurrence ("m_k = max(m_{k-1}, ...), l_k = l_{k-1} exp(...)"): nothing is rescaled; powers are added exactly as whole numbers of Python with exponents, per row, and compared with m only at the end
def online_stats_by_chunk(chunks):
    m, total = None, None
    for chunk in chunks:
        top = chunk.max(axis=1)
        if m is None:
            m, total = top, [{} for _ in top]
        m = np.maximum(m, top)
        z = chunk.astype(np.float64) * 1.4426950408889634
        for r, row in enumerate(z):
            for v in row[np.isfinite(row)]:
                whole = int(np.floor(v))
                key = whole // 64
                total[r][key] = total[r].get(key, 0.0) + float(np.exp2(v - 64 * key))
    l = np.zeros_like(m)
    for r, parts in enumerate(total):
        for key, value in parts.items():
            e = 64 * key - float(m[r]) * 1.4426950408889634
            l[r] += np.float32(value * np.exp2(e)) if e > -1000 else 0
    return m, l
