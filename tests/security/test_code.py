"""What is nowhere in the code: reading that runs what it reads, and requests to anywhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import get_resolver

from annotation.uploads.folders import uploads_folder

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    *(
        path
        for room in ("annotation", "api", "crowd", "evaluation", "people", "segranks", "webhooks")
        for path in (ROOT / room).rglob("*.py")
    ),
    ROOT / "manage.py",
]
TREES = {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in SOURCES}
TEMPLATES = {
    str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "templates").rglob("*.html")
}

# Modules that nothing may import, and the files that may, with the reason.
FORBIDDEN = {
    # XML, with entities that grow: no format of ours is XML.
    *("xml", "lxml", "defusedxml", "html5lib", "bs4"),
    # Reading these runs whatever somebody has written into them.
    *("pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "jsonpickle"),
    *("yaml", "ruamel", "code", "codeop"),
    # Requests to somewhere: nobody's address is ever asked for anything.
    *("urllib.request", "http.client", "requests", "httpx", "aiohttp", "urllib3", "ftplib"),
    *("telnetlib", "smtplib", "webbrowser", "xmlrpc"),
    # Files served, other than our own static ones.
    *("django.views.static", "django.conf.urls.static"),
}
# The thesis' pickle is written, opcode by opcode, and never read.
ALLOWED = {("annotation/formats/thesis.py", "pickle"), ("webhooks/http_client.py", "http.client")}
FORBIDDEN_CALLS = {
    *("eval", "exec", "compile", "__import__"),
    *("os.system", "os.popen", "tempfile.mktemp", "torch.load"),
    *("pickle.load", "pickle.loads", "pickle.Unpickler"),
    *("FileResponse", "RawSQL", "format_html"),
}
# Methods that send SQL as it is written.
RAW_SQL = {"raw", "extra", "executemany"}


def nodes(kind: type[ast.AST]) -> Iterator[tuple[str, Any]]:
    for path, tree in TREES.items():
        yield from ((path, node) for node in ast.walk(tree) if isinstance(node, kind))


def imported() -> Iterator[tuple[str, str]]:
    for path, node in nodes(ast.Import):
        yield from ((path, alias.name) for alias in node.names)
    for path, node in nodes(ast.ImportFrom):
        if node.module and not node.level:
            yield path, node.module
            yield from ((path, f"{node.module}.{alias.name}") for alias in node.names)


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    for path, node in nodes(ast.Call):
        yield path, ast.unparse(node.func), node


def keyword(call: ast.Call, name: str) -> str:
    return next((ast.unparse(each.value) for each in call.keywords if each.arg == name), "")


def test_there_is_code() -> None:
    assert len(TREES) > 150
    assert len(TEMPLATES) > 50


def test_nothing_that_runs_what_it_reads_is_imported() -> None:
    found = {
        (path, bad)
        for path, module in imported()
        for bad in FORBIDDEN
        if module == bad or module.startswith(f"{bad}.")
    }
    assert found == ALLOWED


def test_nothing_dangerous_is_called() -> None:
    found = {(path, name) for path, name, _call in calls() if name in FORBIDDEN_CALLS}
    # Their sentences and tags are texts of ours, and what is put into them is escaped.
    assert found == {
        ("evaluation/templatetags/findings.py", "format_html"),
        ("annotation/templatetags/judging.py", "format_html"),
    }


def test_programs_are_run_without_a_shell() -> None:
    assert not [
        path for path, _name, call in calls() if keyword(call, "shell") not in {"", "False"}
    ]


def test_arrays_are_read_without_pickles() -> None:
    loads = [(path, call) for path, name, call in calls() if name in {"np.load", "numpy.load"}]
    assert loads
    assert not [path for path, call in loads if keyword(call, "allow_pickle") != "False"]


def test_sql_is_written_by_django_alone() -> None:
    """Only statements that open and close a snapshot are written out, and hold no values."""
    raw = [name for _path, name, _call in calls() if name.rpartition(".")[2] in RAW_SQL]
    assert not raw
    sql = [call for _path, name, call in calls() if name == "cursor.execute"]
    assert all(len(call.args) == 1 and isinstance(call.args[0], ast.Constant) for call in sql)


def test_markdown_alone_is_trusted_as_html() -> None:
    trusted = {path for path, name in imported() if name.endswith("mark_safe")}
    assert trusted == {"annotation/projects/instructions.py"}


def test_no_request_goes_unprotected_but_to_where_files_come_in() -> None:
    """Those two ask for the token themselves, once they know that files may be sent at all."""
    exempt = {path for path, name in imported() if name.endswith("csrf_exempt")}
    protected = {path for path, name in imported() if name.endswith("csrf_protect")}
    assert exempt == protected
    assert exempt == {
        "annotation/web/views/new_project.py",
        "annotation/web/views/manage_systems.py",
    }


def test_templates_escape_everything() -> None:
    """Help texts come from the code, those of passwords as a list in HTML."""
    unescaped = re.compile(r"\|\s*(?:safe|safeseq)\b|\{%\s*autoescape|\{%\s*filter")
    found = {path: unescaped.findall(text) for path, text in TEMPLATES.items()}
    assert {path for path, times in found.items() if times} == {"templates/_form.html"}
    assert TEMPLATES["templates/_form.html"].count("field.help_text|safe") == 1


@pytest.mark.parametrize(
    "pattern", [r"<script(?![^>]*\bsrc=)", r"\son\w+\s*=", r"<style", r"\sstyle="]
)
def test_templates_hold_no_script_and_no_style(pattern: str) -> None:
    assert not [path for path, text in TEMPLATES.items() if re.search(pattern, text, re.I)]


def test_no_address_serves_what_was_uploaded(settings: Any, tmp_path: Path) -> None:
    assert not settings.MEDIA_ROOT
    settings.UPLOADS_DIR = None
    folder = uploads_folder().resolve()
    served = [settings.STATIC_ROOT, *settings.STATICFILES_DIRS]
    assert not [path for path in served if folder.is_relative_to(Path(path).resolve())]
    names = {pattern.callback.__name__ for pattern in _patterns(get_resolver().url_patterns)}
    assert "serve" not in names


def _patterns(patterns: list[Any]) -> Iterator[Any]:
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from _patterns(pattern.url_patterns)
        else:
            yield pattern
