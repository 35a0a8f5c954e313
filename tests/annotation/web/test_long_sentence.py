"""A sentence with more candidates than a form usually has fields."""

from itertools import combinations

import pytest
from django.urls import reverse

from annotation.judging import sheet as showing
from annotation.models import Candidate, Segment
from tests.factories import SOURCE, assign_next, make_annotator, make_project

TOKENS = len(SOURCE.split())


@pytest.mark.django_db
def test_thousands_of_candidates_can_be_submitted(client):
    project = make_project(sentences=1, segments={}, intra_rate=0, inter_rate=0)
    indices = [
        " ".join(map(str, chosen))
        for length in range(1, TOKENS + 1)
        for chosen in combinations(range(TOKENS), length)
    ]
    sentence = project.sentences.get()
    segments = Segment.objects.bulk_create(
        Segment(sentence=sentence, token_indices=each) for each in indices
    )
    Candidate.objects.bulk_create(
        Candidate(segment=segment, text=f"candidate {number}")
        for segment in segments
        for number in range(17)
    )
    jana = make_annotator(project)
    client.force_login(jana)
    assignment = assign_next(jana, project)
    sheet = showing.sheet(assignment)
    cards = {f"card-{card.key}": "1" for segment in sheet.segments for card in segment.cards}
    assert len(cards) > 2_000

    form = {"assignment": sheet.assignment_id, "token": sheet.token} | cards
    response = client.post(reverse("judge", args=[project.pk]), form)

    assert response.status_code == 302
    assignment.refresh_from_db()
    assert assignment.state == "submitted"
