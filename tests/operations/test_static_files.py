"""Static files as they are collected."""

import json
import re
from pathlib import Path

IMPORTED = re.compile(r"""^import\b[^"']*["'](?P<path>\.[^"']+)["']""", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def test_modules_import_others_by_names_with_a_hash(static_root: Path) -> None:
    paths = json.loads((static_root / "staticfiles.json").read_text())["paths"]
    judge = (static_root / paths["annotation/judging/judge.js"]).read_text()
    assert len(IMPORTED.findall(judge)) == 2
    for name, hashed in paths.items():
        if not name.endswith(".js") or not name.startswith(
            ("annotation/", "evaluation/", "people/")
        ):
            continue
        module = static_root / hashed
        for path in IMPORTED.findall(module.read_text()):
            assert HASHED.search(path), f"{name} imports {path}"
            assert (module.parent / path).exists()
