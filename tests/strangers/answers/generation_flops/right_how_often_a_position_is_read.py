# Counts how often each position is read in place of the passes: the first `prompt` ones new times, the others once less each.
def generation_flops(prompt, new, width):
    again = once = 0
    for t in range(1, prompt + new):
        price = 4 * width * (2 * width + t)
        times = new if t <= prompt else prompt + new - t
        again += times * price
        once += price
    return again, once
