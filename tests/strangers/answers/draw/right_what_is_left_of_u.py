# Only the slots with p > 0, sums by accumulate, the last one as default of next().
def draw(p, index, u):
    from itertools import accumulate

    def one(row, tokens, number):
        faces = [(float(x), int(t)) for x, t in zip(row, tokens) if x > 0]
        if not faces:
            return -1
        sums = accumulate(x for x, _ in faces)
        return next((t for s, (_, t) in zip(sums, faces) if s > number), faces[-1][1])

    return np.array([one(*row) for row in zip(p, index, u)], dtype=np.int64).reshape(len(p))
