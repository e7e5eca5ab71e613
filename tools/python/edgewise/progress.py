"""Progress of long calls, in a terminal and in a notebook."""
from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

Call = Callable[[str, float], Any]


class Bar:
    """One line that is written again, after the first half second."""

    def __init__(self, file=None, delay: float = 0.5, width: int = 30):
        self.file = file or sys.stderr
        self.delay, self.width = delay, width
        self.begin = time.monotonic()
        self.display: Optional[Any] = None
        self.used = False

    def line(self, stage: str, done: float) -> str:
        seconds = time.monotonic() - self.begin
        if done < 0:
            return f"{stage} ... {seconds:.1f} s"
        full = int(self.width * min(done, 1.0))
        return f"{stage} [{'#' * full}{' ' * (self.width - full)}] {100 * done:3.0f} % {seconds:.1f} s"

    def __call__(self, stage: str, done: float) -> None:
        if time.monotonic() - self.begin < self.delay:
            return
        self.used = True
        self.show(self.line(stage, done))

    def show(self, text: str) -> None:
        self.file.write(f"\r\x1b[2K{text}")
        self.file.flush()

    def close(self) -> None:
        if self.used:
            self.file.write("\r\x1b[2K")
            self.file.flush()


class NotebookBar(Bar):
    """The same as an output that is updated."""

    def show(self, text: str) -> None:
        from IPython.display import display  # type: ignore
        page = {"text/plain": text}
        if self.display is None:
            self.display = display(page, raw=True, display_id=True)
        else:
            self.display.update(page, raw=True)

    def close(self) -> None:
        if self.display is not None:
            self.display.update({"text/plain": ""}, raw=True)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None else None
    return found is not None and type(found).__name__ == "ZMQInteractiveShell"


@contextlib.contextmanager
def shown(progress: Union[bool, Call, None]) -> Iterator[Optional[Call]]:
    """The callback to take: a bar for True."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        bar = NotebookBar() if _in_notebook() else Bar()
        try:
            yield bar
        finally:
            bar.close()
