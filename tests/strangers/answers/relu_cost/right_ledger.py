# right: a ledger of journeys, summed
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    journeys = {"x": "to the chip", "y": "from the chip"}
    operations = {"comparison": n}
    return sum(operations.values()), sum(n * itemsize for _ in journeys)
