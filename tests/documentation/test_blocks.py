"""Each block of code says its language, and is valid in it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.documentation.pages import NAMES, Block, blocks
from tests.operations.proxy_examples import parse_nginx, read_caddyfile

LANGUAGES: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "python": lambda text: compile(text, "block", "exec"),
    "yaml": yaml.safe_load,
    "caddyfile": read_caddyfile,
    "sh": lambda text: subprocess.run(["bash", "-n", "-c", text], check=True),
    # test_commands.py compares it.
    "latex": bool,
    "output": bool,
    "text": bool,
    "tsv": bool,
}


@pytest.mark.parametrize(
    "block", [block for name in NAMES for block in blocks(name)], ids=lambda block: block.place
)
def test_a_block_is_valid(block: Block, tmp_path: Path) -> None:
    if block.language == "nginx":
        parse_nginx(block.text, tmp_path)
    else:
        assert LANGUAGES[block.language](block.text)
