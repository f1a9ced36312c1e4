# dataclass that holds the leaderboard; itertools.accumulate is not needed, enumerate of offsets is
from dataclasses import dataclass


@dataclass
class Leaderboard:
    score: np.ndarray  # (R, k), descending, -inf where a slot is empty
    column: np.ndarray  # (R, k), -1 where a slot is empty
    mass: np.ndarray  # (R,), sum of exp(x - score[:, 0])

    @classmethod
    def empty(cls, rows: int, k: int, dtype) -> "Leaderboard":
        return cls(
            np.full((rows, k), -np.inf, dtype), np.full((rows, k), -1, np.int64), np.zeros(rows, dtype)
        )

    @property
    def anchor(self) -> np.ndarray:
        top = self.score[:, :1]
        return np.where(top == -np.inf, top.dtype.type(0), top)

    def admit(self, chunk: np.ndarray, offset: int) -> None:
        k = self.score.shape[1]
        before = self.score[:, :1].copy()
        columns = np.where(chunk == -np.inf, -1, np.arange(offset, offset + chunk.shape[1]))
        score = np.concatenate([self.score, chunk], axis=1)
        column = np.concatenate([self.column, columns], axis=1)
        order = np.argsort(-score, axis=1, kind="stable")[:, :k]
        self.score = np.take_along_axis(score, order, axis=1)
        self.column = np.take_along_axis(column, order, axis=1)
        anchor = self.anchor
        fresh = np.exp(chunk - anchor).sum(axis=1)
        self.mass = self.mass * np.exp(before - anchor)[:, 0] + fresh

    def probabilities(self) -> np.ndarray:
        mass = np.where(self.mass == 0, self.mass.dtype.type(1), self.mass)
        return np.exp(self.score - self.anchor) / mass[:, None]


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    board, seen = None, 0
    for chunk in chunks:
        if board is None:
            board = Leaderboard.empty(len(chunk), k, chunk.dtype)
        board.admit(chunk, seen)
        seen += chunk.shape[1]
    return board.probabilities(), board.column
