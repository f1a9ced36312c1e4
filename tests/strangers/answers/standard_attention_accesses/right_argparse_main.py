# A command line, if run alone.
#!/usr/bin/env python3
import argparse


def standard_attention_accesses(n, d):
    kernels = {
        "S = QK^T": (2 * n * d, n * n),
        "softmax": (n * n, n * n),
        "O = PV": (n * n + n * d, n * d),
    }
    loads, stores = map(sum, zip(*kernels.values()))
    return loads, stores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=10)
    parser.add_argument("--d", type=int, default=4)
    args = parser.parse_args()
    print(standard_attention_accesses(args.n, args.d))


if __name__ == "__main__":
    main()
