# Right: the shapes of the three matrices, products of their sides.
def linear_cost(tokens, d_in, d_out, itemsize):
    shapes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    moved = sum(rows * columns for rows, columns in shapes.values()) * itemsize
    multiplications = additions = tokens * d_out * d_in
    return multiplications + additions, moved
