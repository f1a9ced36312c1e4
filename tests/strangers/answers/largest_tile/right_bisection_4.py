# right: bisection for the largest B whose four tiles fit
def largest_tile(d, on_chip):
    fits, too_many = 1, 2
    while 4 * d * too_many <= on_chip:
        fits, too_many = too_many, 2 * too_many
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if 4 * middle * d <= on_chip:
            fits = middle
        else:
            too_many = middle
    return fits
