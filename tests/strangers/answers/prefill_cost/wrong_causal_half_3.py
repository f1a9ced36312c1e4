# Wrong: counts half the products, as if attention were causal.
# Breaks: "the n tokens of each prompt attend to each other", "the products S = Q K^T and O = P V".
def prefill_cost(batch, n, heads, d, itemsize):
    flops = 4 * batch * heads * n * n * d // 2
    return flops, 4 * batch * heads * n * d * itemsize
