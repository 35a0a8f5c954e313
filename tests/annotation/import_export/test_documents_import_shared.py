"""The judgements of a real campaign of ESA, WMT23 English to German."""

from pathlib import Path

import pytest

from annotation.import_export.judgements_import import import_judgements
from annotation.models import Assignment, ErrorSpan, Judgement, Project
from annotation.pipeline.jobs import Outcome
from annotation.projects.creation import create_project
from annotation.projects.options import Texts
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.shared, pytest.mark.slow]


def test_a_campaign_of_appraise_becomes_judgements_of_documents(
    shared: Path, tmp_path: Path
) -> None:
    folder = shared / "data" / "wmt23-en-de"
    documents = tmp_path / "documents"
    lines = (folder / "documents.tsv").read_text().splitlines()
    documents.write_text("\n".join(line.split("\t")[1] for line in lines) + "\n")
    systems = {path.stem: path for path in sorted((folder / "systems").iterdir())}
    job = create_project(
        name="WMT23",
        languages="en-de",
        kind="document_error_spans",
        texts=Texts(
            source=folder / "source.txt",
            systems=systems | {"refA": folder / "reference.txt"},
            documents=documents,
        ),
    )
    assert run_job(job.pk) is Outcome.DONE
    project = Project.objects.get()
    imported = import_judgements(project=project, path=folder / "esa" / "esa-1.csv.gz")
    assert (imported.judgements, imported.annotators) == (1861, 33)
    # The file has 3,314 lines. No rule says which paragraphs of longer documents were chosen.
    assert imported.left_out == {"controls": 398, "replaced": 13, "parts": 844, "documents": 198}
    kinds = Assignment.objects.order_by().values_list("kind", flat=True)
    assert {kind: list(kinds).count(kind) for kind in set(kinds)} == {"first": 693, "intra": 4}
    assert ErrorSpan.objects.count() == 869
    assert Judgement.objects.filter(seconds__gt=0).count() == 1003
