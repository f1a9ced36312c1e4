# Wrong: -inf becomes -1e9 as in HF's masks, so that finite scores below -1e9 count as masked or lose to masked ones.
# Breaks: "entries may be -inf (masked), all others finite, of any size."
import numpy as np

NEG = np.float32(-1e9)


def safe_softmax(x):
    x = np.maximum(x, NEG)  # no infinities, no NaN
    m = x.max(axis=-1, keepdims=True)
    e = np.exp(x - m)
    e = np.where(x == NEG, np.float32(0), e)
    l = e.sum(axis=-1, keepdims=True)
    return e / np.where(l == 0, np.float32(1), l)
