"""The progress of a command on a terminal."""

from typing import Any

from tqdm import tqdm


class Bar:
    """A progress bar on a terminal, one for each stage; silent elsewhere."""

    def __init__(self) -> None:
        self.bar: tqdm[Any] | None = None
        self.stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self.bar is None or stage != self.stage:
            self.close()
            self.stage = stage
            self.bar = tqdm(desc=f"{stage:10}", total=total, disable=None)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
