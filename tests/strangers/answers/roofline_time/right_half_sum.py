# Right: the larger of two numbers as half of their sum and distance, for numbers and arrays alike.
def roofline_time(flops, bytes_moved, peak, bandwidth):
    compute = flops / peak
    move = bytes_moved / bandwidth
    return (compute + move + abs(compute - move)) / 2
