import pytest

from annotation.models import Sentence
from annotation.projects.preparation_quality import (
    VERBLESS,
    verbless_sentences,
)
from tests.factories import make_project


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tree", "share"),
    [
        ("(S (NP (PRP We)) (VP (VBD saw) (NP (PRP it))))", 0.0),
        ("(S (NP we) (VP saw it))", 0.0),
        ("(S (VP-TMP saw))", 0.0),
        ("(S (VERB-FIN vidí))", 0.0),
        ("(S (MD can))", 0.0),
        ("(X (X We) (X (X saw) (X it)))", 1.0),
        ("(NP (NN VB) (NNP VP) (VBX x))", 1.0),
        ("", 1.0),
    ],
)
def test_trees_without_verbs_are_counted(tree: str, share: float) -> None:
    project = make_project(sentences=1)
    Sentence.objects.update(tree=tree)
    project.provenance = {"coverage": "predicates"}
    assert verbless_sentences(project) == share
    project.provenance = {"coverage": "algorithm1"}
    assert verbless_sentences(project) is None


@pytest.mark.django_db
def test_a_stored_count_is_used() -> None:
    project = make_project(sentences=4)
    project.provenance = {"coverage": "predicates", VERBLESS: 1}
    assert verbless_sentences(project) == pytest.approx(0.25)
    Sentence.objects.update(tokens="")
    assert verbless_sentences(project) is None
