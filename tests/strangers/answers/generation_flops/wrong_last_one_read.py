# Wrong: the last token is read, too.
# Breaks: "the first one comes out of the pass over the prompt, and the last one is never read."
def generation_flops(prompt, new, width):
    def tokens(n):
        return 8 * n * width**2 + 2 * n * (n + 1) * width

    return sum(tokens(n) for n in range(prompt, prompt + new + 1)), tokens(prompt + new)
