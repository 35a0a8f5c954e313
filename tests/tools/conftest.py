"""PyTorch takes a second to import: its tests are not even collected where they do not run."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    left_out = "not slow" in config.option.markexpr
    return True if left_out and collection_path.name == "test_parser_training.py" else None
