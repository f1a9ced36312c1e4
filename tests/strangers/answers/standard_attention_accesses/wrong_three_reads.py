# Wrong: the softmax kernel reads S three times, for maximum, sum and division.
# Breaks: "every kernel reads each of its operands from main memory once".
def standard_attention_accesses(n, d):
    loads = 2 * n * d + 3 * n * n + n * n + n * d
    stores = n * n + n * n + n * d
    return loads, stores
