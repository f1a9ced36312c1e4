# Every position of every new token is written down and counted.
def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    positions = np.concatenate([np.arange(end - n, end) + 1 for n, end in zip(new, length)])
    work = {"matrices": (2 * weights * len(positions), weights), "attention": (per_pair * positions.sum(), per_token * length.sum())}
    return sum(np.maximum(flops / peak, numbers * itemsize / bandwidth) for flops, numbers in work.values())
