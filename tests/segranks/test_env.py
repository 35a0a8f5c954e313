"""Values from the environment, and the errors for invalid ones."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from segranks import env

REPOSITORY = Path(__file__).resolve().parents[2]
READS_THE_ENVIRONMENT = re.compile(r"\bos\.(environ|getenv)|\bfrom os import .*\b(environ|getenv)")
# These set DJANGO_SETTINGS_MODULE.
STARTERS = {"segranks/command_line.py", "segranks/celery.py", "segranks/wsgi.py"}


@pytest.fixture(autouse=True)
def _only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THING", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_only_env_reads_the_environment() -> None:
    folders = {path.parent for path in REPOSITORY.glob("*/__init__.py")}
    folders -= {REPOSITORY / "tests", REPOSITORY / "tools"}
    files = [REPOSITORY / "manage.py", *(path for each in folders for path in each.rglob("*.py"))]
    readers = {
        str(path.relative_to(REPOSITORY))
        for path in files
        if READS_THE_ENVIRONMENT.search(path.read_text(encoding="utf-8"))
    }
    assert readers - STARTERS == {"segranks/env.py"}


@pytest.mark.parametrize(
    ("value", "meant"), [("1", True), ("Yes", True), ("0", False), ("", False)]
)
def test_a_flag_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, value: str, meant: bool) -> None:
    monkeypatch.setenv("THING", value)
    assert env.flag("THING") is meant


def test_an_unset_flag_is_its_default() -> None:
    assert env.flag("THING", True) is True


def test_it_refuses_another_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THING", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="THING is 'perhaps': set it to 1"):
        env.flag("THING")


def test_it_refuses_a_number_with_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THING", "eight")
    with pytest.raises(ImproperlyConfigured, match="THING is 'eight'"):
        env.number("THING", 8)


def test_words_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THING", " one, two,,")
    assert env.words("THING") == ["one", "two"]


def test_it_names_a_folder_that_cannot_be_created(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("THING", str(tmp_path / "file" / "folder"))
    with pytest.raises(ImproperlyConfigured, match="set THING to another"):
        env.folder("THING", tmp_path)


@pytest.mark.parametrize("before", [None, 0o755, 0o770, 0o2775])
def test_only_its_owner_can_read_the_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: int | None
) -> None:
    path = tmp_path / "data"
    if before is not None:
        path.mkdir()
        path.chmod(before)
    monkeypatch.setenv("THING", str(path))
    assert env.folder("THING", tmp_path) == path
    assert path.stat().st_mode & 0o777 == 0o700


def test_it_refuses_a_folder_that_everyone_may_write_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("THING", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="set THING to one for SegRanks alone"):
        env.folder("THING", tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o777


def test_the_path_of_the_database_may_have_special_characters(tmp_path: Path) -> None:
    path = tmp_path / "100 % mine?#" / "file.sqlite3"
    assert env.database("THING", path)["NAME"] == str(path)


def test_a_database_can_be_a_file_with_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THING", "sqlite:////srv/segranks/file.sqlite3")
    assert env.database("THING", Path("unused"))["NAME"] == "/srv/segranks/file.sqlite3"


@pytest.mark.parametrize("url", ["nonsense", "mysql://user@host/name"])
def test_it_refuses_other_databases(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("THING", url)
    with pytest.raises(ImproperlyConfigured, match="THING is not a supported database URL"):
        env.database("THING", Path("unused"))


def test_the_broker_is_in_memory_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.broker("THING").startswith("memory://")
    monkeypatch.setenv("THING", "redis://127.0.0.1:6379/0")
    assert env.broker("THING") == "redis://127.0.0.1:6379/0"
    monkeypatch.setenv("THING", "nonsense")
    with pytest.raises(ImproperlyConfigured, match="THING is not a supported broker URL"):
        env.broker("THING")


def test_it_generates_a_secret_key_once(tmp_path: Path) -> None:
    key = env.secret_key(tmp_path)
    assert len(key) >= 50
    assert env.secret_key(tmp_path) == key
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_it_names_a_secret_key_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "secret-key").mkdir()
    with pytest.raises(ImproperlyConfigured, match="secret-key cannot be read or created"):
        env.secret_key(tmp_path)


def test_it_uses_a_given_secret_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")
    assert env.secret_key(tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("", (False, [])),
        ("0", (False, [])),
        ("yes", (True, [])),
        ("Example.org, cs.example.org,", (True, ["example.org", "cs.example.org"])),
    ],
)
def test_registration_is_a_flag_or_domains(
    monkeypatch: pytest.MonkeyPatch, value: str, meant: tuple[bool, list[str]]
) -> None:
    monkeypatch.setenv("THING", value)
    assert env.registration("THING") == meant


@pytest.mark.parametrize("value", ["perhaps", "@example.org", "*", "a b.org", ",", "example.org;x"])
def test_it_refuses_an_invalid_domain(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("THING", value)
    with pytest.raises(ImproperlyConfigured, match="or the allowed domains of"):
        env.registration("THING")
