"""The pages of the documentation, their blocks of code, and the code within their sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.installation import REPOSITORY

# All but the history, which names commands that are no more.
FILES = ("[!C]*.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/**/*.md", "tests/load/README.md")
NAMES = sorted(
    str(page.relative_to(REPOSITORY)) for pattern in FILES for page in REPOSITORY.glob(pattern)
)
MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True)
class Block:
    """A block of code; its language is the word behind its fence, and empty without one."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0]


@cache
def parsed(page: str) -> list[Token]:
    return MARKDOWN.parse((REPOSITORY / page).read_text(encoding="utf-8"))


def blocks(page: str, *languages: str) -> list[Block]:
    """Return the blocks of a page, those of these languages if some are given."""
    found = [
        Block(page, token.map[0] + 1, token.info.partition(" ")[0], token.content)
        for token in parsed(page)
        if token.type in ("fence", "code_block") and token.map
    ]
    return [block for block in found if not languages or block.language in languages]


def spans(page: str) -> Iterator[str]:
    """Yield each `code` of the sentences and tables of a page."""
    for token in parsed(page):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content
