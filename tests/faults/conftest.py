"""A cluster for each test, and the result of an undisturbed preparation."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import services
from tests.conftest import require
from tests.faults.cluster import ALIKE, Cluster, everything
from tests.installation import Installation, write_texts

# Several chunks of most stages, and some seconds of work.
SENTENCES = 1500


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Options of create_project, with an aligner that is not random."""
    return [*write_texts(tmp_path_factory.mktemp("texts"), SENTENCES), "--aligner=systran"]


@pytest.fixture(scope="session")
def undisturbed(
    texts: list[str], static_root: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The project of these texts where nothing goes wrong."""
    folder = tmp_path_factory.mktemp("undisturbed")
    installation = Installation(folder / "data", static_root, **ALIKE)
    installation.manage("migrate", "--verbosity", "0")
    installation.manage("create_project", "Long", *texts)
    return everything(installation, "Long", folder)


@pytest.fixture
def cluster(tmp_path: Path, static_root: Path) -> Iterator[Cluster]:
    with ExitStack() as running:
        try:
            made = Cluster(tmp_path, static_root, running)
        except services.Unavailable as problem:
            require(False, str(problem))
        yield made
