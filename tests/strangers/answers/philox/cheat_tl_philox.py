# forbidden 'Philox', 'random': Triton's own tl.philox is written with a small letter
import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def words(c_ptr, seed_ptr, out_ptr, ROUNDS: tl.constexpr):
    at = c_ptr + tl.program_id(0) * 4
    c0, c1, c2, c3 = tl.load(at), tl.load(at + 1), tl.load(at + 2), tl.load(at + 3)
    w0, w1, w2, w3 = tl.philox(tl.load(seed_ptr), c0.to(tl.uint32), c1.to(tl.uint32), c2.to(tl.uint32), c3.to(tl.uint32), ROUNDS)
    out = out_ptr + tl.program_id(0) * 4
    tl.store(out, w0.to(tl.int64))
    tl.store(out + 1, w1.to(tl.int64))
    tl.store(out + 2, w2.to(tl.int64))
    tl.store(out + 3, w3.to(tl.int64))


def philox(counter, key, rounds=10):
    c = torch.from_numpy(counter.astype(np.int64)).reshape(-1, 4).contiguous()
    seed = torch.from_numpy(np.array([int(key[0]) | int(key[1]) << 32], np.uint64).view(np.int64))
    out = torch.empty_like(c)
    words[(len(c),)](c, seed, out, ROUNDS=rounds)
    return out.numpy().astype(np.uint32).reshape(counter.shape)
