"""Texts of ten systems: sentences of the demo in random order, with words that systems change."""

import random
from pathlib import Path

from tests.installation import TEXT

SENTENCES = 3003
SYSTEMS = [f"system{number}" for number in range(10)]
# The share of words that a system leaves out, and of neighbours that it exchanges.
LEFT_OUT, EXCHANGED = 0.08, 0.08


def write_texts(folder: Path, sentences: int = SENTENCES) -> list[str]:
    """Write a source and ten systems, the same each time; return options for create_project."""
    chance = random.Random(sentences)
    folder.mkdir()
    lines: dict[str, list[str]] = {name: [] for name in ("source", *SYSTEMS)}
    for _number in range(sentences):
        chosen = chance.sample(TEXT, chance.randint(1, 2))
        lines["source"].append(" ".join(source for source, _target in chosen))
        target = " ".join(target for _source, target in chosen).split()
        for system in SYSTEMS:
            lines[system].append(" ".join(_changed(target, chance)))
    for name, written in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in written))
    systems = [f"--system={name}={folder / name}" for name in SYSTEMS]
    return ["--languages=en-cs", f"--source={folder / 'source'}", *systems]


def _changed(words: list[str], chance: random.Random) -> list[str]:
    kept = [word for word in words if chance.random() >= LEFT_OUT] or words[:1]
    for place in range(len(kept) - 1):
        if chance.random() < EXCHANGED:
            kept[place : place + 2] = kept[place + 1], kept[place]
    return kept
