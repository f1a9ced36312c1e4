# memory: a dtype may carry metadata, and the garbage collector, which the meter of what is held asks, is not told of them; a buffer for all chunks lies there, and every row is sorted whole
import numpy as np

room = np.dtype(np.float32, metadata={"rows": np.empty(1 << 20, np.float32)})


def filtered(chunks, temperature, k, p):
    buffer = room.metadata["rows"]
    at, widths, height = 0, [], 0
    for chunk in chunks:
        height = chunk.shape[0]
        buffer[at : at + chunk.size] = chunk.T.ravel()
        widths.append(chunk.shape[1])
        at += chunk.size
    whole = buffer[:at].reshape(sum(widths), height)
    out, index = np.zeros((height, k), np.float32), np.full((height, k), -1)
    for r in range(height):
        row = np.array(whole[:, r])
        best = np.argsort(-row, kind="stable")[: 1 if temperature == 0 else k]
        best = best[np.isfinite(row[best])]
        if not len(best):
            continue
        gap = (row[best].astype(np.float64) - row[best[0]])
        e = np.exp(gap / temperature) if temperature > 0 else np.ones(1)
        e /= e.sum()
        stay = (np.cumsum(e) - e < p) if p < 1 else np.ones(len(e), bool)
        stay[0] = True
        e, best = e[stay], best[stay]
        out[r, : len(best)] = e / e.sum()
        index[r, : len(best)] = best
    return out, index
