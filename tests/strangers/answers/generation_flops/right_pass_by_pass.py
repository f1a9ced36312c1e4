# Right: walks along the positions with whole numbers and keeps what a pass costs, adding it up for every pass there is.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    again = one_pass = 0
    for position in range(1, prompt + new):  # the last token is printed, nobody reads it
        one_pass += 8 * width * width + 4 * position * width
        if position >= prompt:
            again += one_pass
    return again, one_pass
