"""Hooks of mkdocs: pages from outside of `docs/`, and what our Content Security Policy requires."""

import logging
import re
from importlib.metadata import distribution
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from whitenoise.compress import Compressor

REPOSITORY = Path(__file__).resolve().parents[2]
LOG = logging.getLogger("mkdocs.hooks")
# What the theme has and no page needs, besides maps for debuggers and search in other languages. A
# sitemap would say when the site was built, and SegRanks answers for pages that do not exist.
UNUSED = {"404.html", "sitemap.xml", "assets/images/favicon.png"}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")
CELL = re.compile(r"<td.*?</td>", re.DOTALL)
# Scripts and styles within a page, and what is loaded from another host.
FORBIDDEN = re.compile(
    r"<style|<[^>]+\sstyle=[^>]*>|<[^>]+\son\w+=[^>]*>|<script>"
    r"|<(?:script|img|iframe|audio|video|source|link)\s[^>]*(?:src|href)=\"?(?:https?:)?//[^>]*>"
)


def paths(nav: Any) -> list[str]:
    """Return the paths of files in the navigation of mkdocs.yml."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [path for part in parts for path in paths(part)]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.theme.static_templates -= UNUSED
    return config


def linked(files: Files) -> set[str]:
    """Return the paths of the files outside of `docs/` to which its pages link."""
    found = set()
    for page in files.documentation_pages():
        folder = dirname(f"docs/{page.src_uri}")
        goals = (normpath(join(folder, link)) for link in LINK.findall(page.content_string))
        found |= {goal for goal in goals if not goal.startswith("docs/")}
    return {path for path in found if (REPOSITORY / path).is_file()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the navigation that are elsewhere, files that pages link to, and the icon.

    Those files need no place in the navigation.
    """
    for file in list(files):
        path = file.src_uri
        if path in UNUSED or path.endswith(".map") or "/lunr/" in path:
            files.remove(file)
    in_nav = set(paths(config.nav))
    sources = {path: REPOSITORY / path for path in in_nav - {*files.src_uris} | linked(files)}
    sources["favicon.svg"] = REPOSITORY / "static" / "favicon.svg"
    for path, source in sorted(sources.items()):
        if source.exists():
            inclusion = InclusionLevel.UNDEFINED if path in in_nav else InclusionLevel.NOT_IN_NAV
            files.append(
                File.generated(config, path, abs_src_path=str(source), inclusion=inclusion)
            )
    licence = distribution("mkdocs-material").read_text("licenses/LICENSE")
    assert licence
    files.append(File.generated(config, "assets/LICENSE.txt", content=licence))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links between `docs/` and the rest of the repository those of the site."""
    uri = page.file.src_uri
    folder = dirname(uri if page.file.generated_by else f"docs/{uri}")

    def moved(link: re.Match[str]) -> str:
        goal = normpath(join(folder, link[0])).removeprefix("docs/")
        return relpath(goal, dirname(uri) or ".")

    return LINK.sub(moved, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    r"""Read `\|` in code of a table as code hosts do: as a bar, which ends no cell."""
    return CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Warn of what the Content Security Policy forbids, which ends a strict build."""
    for tag in FORBIDDEN.findall(output):
        LOG.warning("%s has what the browser will not load: %s", page.file.src_uri, tag)
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """Compress the files, for browsers that take them so."""
    compressor = Compressor(use_brotli=False, quiet=True)
    for path in Path(config.site_dir).rglob("*"):
        if path.is_file() and compressor.should_compress(path.name):
            compressor.compress(str(path))
