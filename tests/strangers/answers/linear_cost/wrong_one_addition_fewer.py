# Wrong: a sum of d_in products takes d_in - 1 additions, so it counts 2 d_in - 1.
# Breaks: "a product of two numbers and its addition are 2 flops."
def linear_cost(tokens, d_in, d_out, itemsize):
    flops = tokens * d_out * (2 * d_in - 1)
    return flops, (tokens * d_in + d_in * d_out + tokens * d_out) * itemsize
