"""What the code must not contain: reading that executes, raw SQL, unescaped HTML."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from annotation.common import stored_files

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "annotation", "api", "crowd", "evaluation", "operations", "people", "segranks", "webhooks",
)  # fmt: skip


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the parsed code, not before a test needs it: each process of xdist imports this."""
    return {
        path.relative_to(ROOT): ast.parse(path.read_text())
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }


TEMPLATES = {
    str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "templates").rglob("*.html")
}
# Reading these executes what they contain; XML parsers expand entities. The thesis' pickle is
# written opcode by opcode, and never read.
EXECUTING = ("pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve")
PARSERS = ("yaml", "xml", "lxml", "code", "codeop")
# Only webhooks send requests to other hosts, and the client, which no part of the site uses.
HTTP_CLIENTS = (
    *("urllib.request", "http.client", "requests", "httpx", "httpcore", "httpcore2", "aiohttp"),
    "urllib3",
)
# The cache reads only what the same process has put into it, as Django's own does.
CACHE = "segranks/memory_cache.py"
MAY_IMPORT = {
    *(("annotation/formats", "pickle"), (CACHE, "pickle")),
    *(("webhooks", name) for name in HTTP_CLIENTS),
    *(("segranks/client.py", name) for name in ("requests", "urllib3")),
}
CALLS = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "torch.load"),
    *("pickle.load", "pickle.loads", "pickle.Unpickler", "RawSQL", "tempfile.mktemp"),
}
# Methods that send SQL as it is written, and where it may be composed, from names of our tables.
RAW_SQL = {"raw", "extra", "executemany"}
MAY_COMPOSE_SQL = (
    "annotation/common/",
    "annotation/formats/segment_files.py",
    "operations/backups.py",
)


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    return [
        (str(path), ast.unparse(node.func), node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def imports() -> Iterator[tuple[Path, str]]:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield path, node.module
                yield from ((path, f"{node.module}.{alias.name}") for alias in node.names)


def keyword(call: ast.Call, name: str) -> str:
    return next((ast.unparse(each.value) for each in call.keywords if each.arg == name), "")


def test_nothing_that_executes_what_it_reads_is_imported() -> None:
    assert len(trees()) > 150
    found = [
        (str(path), bad)
        for path, module in imports()
        for bad in (*EXECUTING, *PARSERS, *HTTP_CLIENTS)
        if (module == bad or module.startswith(f"{bad}."))
        and not any(path.is_relative_to(room) for room, name in MAY_IMPORT if name == bad)
    ]
    assert not found


def test_nothing_that_executes_text_is_called() -> None:
    found = {(path, name) for path, name, _call in calls() if name in CALLS}
    assert found <= {(CACHE, "pickle.loads")}


def test_programs_are_run_without_a_shell() -> None:
    assert not [
        path for path, _name, call in calls() if keyword(call, "shell") not in ("", "False")
    ]


def test_arrays_are_read_without_pickles() -> None:
    loads = [(path, call) for path, name, call in calls() if name in ("np.load", "numpy.load")]
    assert not [path for path, call in loads if keyword(call, "allow_pickle") != "False"]


def test_sql_is_written_by_django_or_constant() -> None:
    for path, name, call in calls():
        if not path.startswith(MAY_COMPOSE_SQL):
            assert name.rpartition(".")[2] not in RAW_SQL, path
            assert name != "cursor.execute" or isinstance(call.args[0], ast.Constant), path


def test_only_markdown_is_trusted_as_html() -> None:
    trusted = {str(path) for path, name in imports() if name.endswith("mark_safe")}
    assert trusted <= {"annotation/common/markdown.py"}


def test_views_that_are_exempt_from_csrf_check_it_themselves() -> None:
    """They take files, and let Django read the token once they know that the person may upload.

    The link that stops reminders asks for no session: programs post to it (RFC 8058).
    """
    exempt = {path for path, name in imports() if name.endswith("csrf_exempt")}
    exempt.remove(Path("people/views/reminders.py"))
    assert exempt <= {path for path, name in imports() if name.endswith("csrf_protect")}


def test_templates_escape_everything() -> None:
    """Except help texts, which come from the code; Django's of passwords are HTML."""
    unescaped = re.compile(r"\|\s*(?:safe|safeseq)\b|\{%\s*autoescape|\{%\s*filter")
    found = {path: unescaped.findall(text) for path, text in TEMPLATES.items()}
    assert {path for path, times in found.items() if times} <= {"templates/_form.html"}
    assert TEMPLATES["templates/_form.html"].count("|safe") == 1


@pytest.mark.parametrize(
    "pattern", [r"<script(?![^>]*\bsrc=)", r"\son\w+\s*=", r"<style", r"\sstyle=", "javascript:"]
)
def test_templates_have_no_inline_scripts_or_styles(pattern: str) -> None:
    assert not [path for path, text in TEMPLATES.items() if re.search(pattern, text, re.I)]


def test_uploads_are_outside_the_static_files(settings: Any) -> None:
    assert settings.MEDIA_URL == "/"
    folder = stored_files.own_folder("").resolve()
    served = [settings.STATIC_ROOT, *settings.STATICFILES_DIRS]
    assert not [path for path in served if folder.is_relative_to(Path(path).resolve())]
