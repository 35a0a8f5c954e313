import numpy as np
import pytest

from annotation.models import Candidate, Projection, Segment, Sentence, System, Translation
from evaluation.services.loading import load
from evaluation.services.project_texts import load_texts
from evaluation.stats.judgements import NO_CANDIDATE
from tests.evaluation.projects import submit
from tests.factories import SOURCE, make_annotator, make_project, places

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_all_texts_of_a_project():
    project = make_project(sentences=2)
    b = System.objects.get(name="B")
    Translation.objects.create(
        sentence=Sentence.objects.get(number=2),
        system=b,
        text="Dům u řeky",
        tokens=places("Dům u řeky"),
    )

    texts = load_texts(project)

    assert texts.sentence_numbers.tolist() == [1, 2]
    assert texts.sources == (tuple(SOURCE.split()),) * 2
    assert texts.references == ((("reference",),),) * 2
    assert texts.outputs == (((), ()), ((), ("Dům", "u", "řeky")), ((), ()))
    assert texts.segment_sentences.tolist() == [0, 0, 1, 1]
    assert texts.segment_positions == ((0, 1, 2), (4, 5, 6)) * 2
    assert texts.candidate_texts == ("starý dům", "stará dům", "dům", "u řeky", "blízko řeky") * 2
    assert texts.first_candidates.tolist() == [0, 3, 5, 8, 10]
    assert texts.system_candidates.tolist() == [
        [0, 1, 2],
        [3, 4, NO_CANDIDATE],
        [5, 6, 7],
        [8, 9, NO_CANDIDATE],
    ]
    assert texts.system_names == ("A", "B", "C")


def test_systems_and_candidates_are_in_the_order_of_the_judgements():
    project = make_project(sentences=3)
    submit(project, make_annotator(project), 2, {"4 5 6": [2, 1]})
    # A system that was added later has a new candidate of an early segment, and an old one.
    later = System.objects.create(project=project, name="0")
    for segment in Segment.objects.filter(sentence__number=2):
        text = "při řece" if segment.token_indices == "4 5 6" else "dům"
        candidate, _ = Candidate.objects.get_or_create(segment=segment, text=text)
        Projection.objects.create(segment=segment, system=later, candidate=candidate)
    submit(project, make_annotator(project, "petr"), 2, {"4 5 6": [1, 2, 3], "0 1 2": [1, 2, 3]})

    judgements, texts = load(project), load_texts(project)

    assert texts.system_names == judgements.system_names == ("A", "B", "C", "0")
    segments = texts.segments_of(judgements)
    assert texts.segment_ids[segments].tolist() == [
        judgements.segment_ids[code] for code in judgements.segments
    ]
    first = texts.first_candidates[segments][:, None]
    produced = texts.system_candidates[segments]
    np.testing.assert_array_equal(
        judgements.system_candidates, np.where(produced < 0, NO_CANDIDATE, produced - first)
    )
    ranks = {
        texts.candidate_texts[first[1, 0] + column]: rank
        for column, rank in enumerate(judgements.candidate_ranks[1].tolist())
    }
    assert ranks == {"u řeky": 1, "blízko řeky": 2, "při řece": 3}


def test_a_project_without_texts():
    texts = load_texts(make_project(sentences=0))

    assert len(texts.segment_ids) == len(texts.candidate_texts) == 0
    assert texts.system_candidates.shape == (0, 3)


def test_it_takes_seven_queries(django_assert_num_queries):
    project = make_project(sentences=3)

    with django_assert_num_queries(7):
        load_texts(project)
