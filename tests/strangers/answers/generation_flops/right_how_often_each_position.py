# Asks of each position how many passes read it and sums position by position.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    cost = lambda t: 8 * width * width + 4 * t * width
    everything = 0
    each_once = 0
    for t in range(1, prompt + new):
        # a token of the prompt is in all passes, a written one in those that come after it
        passes = min(new, prompt + new - t)
        everything += passes * cost(t)
        each_once += cost(t)
    return everything, each_once
