"""Collecting submissions from nbgrader's exchange without following links."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect


class CollectFiles(ExchangeCollect):
    """Copies what students handed in, but no links, which could lead anywhere with the instructor's rights."""

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the folder `src` to `dest`."""
        found = [path for path in (Path(src), *Path(src).rglob("*")) if path.is_symlink()]
        for link in found:
            self.log.warning("%s is a link and is left out", link)
        if Path(src) in found:
            Path(dest).mkdir(parents=True)
            return
        ignore = self.coursedir.ignore
        self.coursedir.ignore = [*ignore, *{glob.escape(link.name) for link in found}]
        try:
            super().do_copy(src, dest, log)
        finally:
            self.coursedir.ignore = ignore
