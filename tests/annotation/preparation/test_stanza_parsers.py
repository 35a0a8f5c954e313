"""The parsers of stanza, with tiny models that are trained here."""

from pathlib import Path

import pytest

from annotation.preparation.parsers import choose_parser
from annotation.preparation.stanza_parsers import stanza_folder, stanza_is_installed
from annotation.preparation.trees import Node, leaves
from tests.conftest import require
from tests.stanza_models import make_models

pytestmark = pytest.mark.slow

TOKENS = [
    ["the", "old", "dog", "barks", "."],
    [],
    ["(", "she", "", "isn't", "near", ")"],
    ["river"],
    *[["a", "cat", "sees", "it"]] * 200,
]


@pytest.fixture(scope="module")
def constituents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _models(tmp_path_factory, "constituency")


@pytest.fixture(scope="module")
def dependencies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _models(tmp_path_factory, "depparse")


def _models(tmp_path_factory: pytest.TempPathFactory, processor: str) -> Path:
    require(stanza_is_installed(), "stanza is not installed: run `make stanza`.")
    folder = tmp_path_factory.mktemp("models")
    return make_models(folder, tmp_path_factory.mktemp("work"), [processor])


def labels(node: Node) -> set[str]:
    if node.token is not None:
        return set()
    return {node.label}.union(*(labels(child) for child in node.children))


def test_it_parses_constituents(constituents: Path) -> None:
    parser = choose_parser("auto", language="en-GB", models=constituents)
    trees = list(parser.parse(TOKENS))
    assert parser.name == "stanza"
    assert "dependencies" not in parser.version
    assert [leaves(tree) for tree in trees] == [tuple(range(len(each))) for each in TOKENS]
    # A tag above every word, and at least one phrase: labels that the model learned.
    assert all("ROOT" in labels(tree) for tree in trees)
    assert labels(trees[0]) & {"S", "NP", "VP", "PP"}


def test_it_parses_dependencies_without_a_constituency_model(dependencies: Path) -> None:
    assert stanza_folder("en", dependencies) is None
    parser = choose_parser("auto", language="en", models=dependencies)
    trees = list(parser.parse(TOKENS))
    assert (parser.name, "dependencies" in parser.version) == ("stanza", True)
    assert [leaves(tree) for tree in trees] == [tuple(range(len(each))) for each in TOKENS]
    assert labels(trees[0]) & {"DET", "NOUN", "VERB", "PUNCT", "ADJ"}


def test_constituents_come_before_dependencies(constituents: Path, dependencies: Path) -> None:
    assert choose_parser("stanza", language="en", models=constituents).version.count(",") == 0
    assert choose_parser("auto", language="cs", models=dependencies).name == "phrases"
