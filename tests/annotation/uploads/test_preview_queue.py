"""The queue of previews: two at a time, one a person, and what happens when one fails."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.utils import timezone

from annotation.common import stored_files
from annotation.formats.errors import InputError
from annotation.formats.pharaoh import Links
from annotation.formats.tokens import split_at_spaces
from annotation.models import StoredPreview, Upload, UploadedFile, User
from annotation.preparation.projection import ProjectionRule
from annotation.uploads import folders, preview_queue, storage
from annotation.uploads.preview import preview
from annotation.uploads.preview_sample import Sample, SampledSentence, SampledText
from tests.annotation.uploads import upload_files as files

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture(autouse=True)
def _uploads(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def ready_upload(owner: str, **more: Any) -> Upload:
    """Make an upload that can be previewed."""
    user, _is_new = User.objects.get_or_create(username=owner)
    upload = Upload.objects.create(
        owner=user, settings={"parser": "phrases", "aligner": "systran"}, **more
    )
    for number, (name, text) in enumerate(files.TEXTS.items()):
        stored = f"{number:032}"
        (folders.folder_of(upload) / stored).write_text(text)
        role = name.removesuffix(".txt") if "/" not in name else "system"
        system = Path(name).stem if "/" in name else ""
        UploadedFile.objects.create(
            upload=upload, name=name, role=role, system=system, stored=stored, size=1, lines=2
        )
    return upload


def states() -> list[str]:
    return list(StoredPreview.objects.order_by("pk").values_list("state", flat=True))


def running(owner: str, slot: int, *, seconds: int = 30, **more: Any) -> StoredPreview:
    """Return a preview that a worker computes, with a lease of so many seconds from now."""
    preview = preview_queue.request(ready_upload(owner))
    now = timezone.now()
    lease = now + timedelta(seconds=seconds)
    claimed = {"state": "running", "slot": slot, "started": now, "lease_until": lease}
    more = claimed | {"worker": f"worker {slot}"} | more
    StoredPreview.objects.filter(pk=preview.pk).update(**more)
    return preview


def test_a_preview_is_requested_once_and_made_once() -> None:
    upload = ready_upload("jana")
    first = preview_queue.request(upload)
    assert preview_queue.request(upload) == first
    preview_queue.compute(first.pk)
    made = preview_queue.request(upload)
    assert (made, made.state, made.attempts) == (first, "done", 1)
    assert made.data
    assert len(made.data["sample"]["sentences"]) == 2
    # Nothing remains of the program's work.
    assert not list(folders.folder_of(upload).glob("preview-*"))
    started = made.started
    preview_queue.compute(first.pk)
    made.refresh_from_db()
    assert made.started == started


def test_two_previews_are_computed_at_a_time() -> None:
    for slot, owner in enumerate(("jana", "karel"), start=1):
        running(owner, slot)
    third = preview_queue.request(ready_upload("petr"))
    preview_queue.compute(third.pk)
    assert states() == ["running", "running", "waiting"]
    StoredPreview.objects.filter(slot=1).delete()
    preview_queue.compute(third.pk)
    assert states() == ["running", "done"]


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_two_get_a_slot() -> None:
    pks = [preview_queue.request(ready_upload(f"person {n}")).pk for n in range(6)]

    def claim(pk: int) -> bool:
        try:
            return preview_queue.claim(pk) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(len(pks)) as executor:
        claimed = list(executor.map(claim, pks))
    assert claimed.count(True) <= 2
    assert sorted(states()) == ["running"] * claimed.count(True) + ["waiting"] * (
        6 - claimed.count(True)
    )
    slots = StoredPreview.objects.filter(state="running").values_list("slot", flat=True)
    assert len(set(slots)) == claimed.count(True)


def test_a_preview_waits_for_those_before_it() -> None:
    first, second = (preview_queue.request(ready_upload(name)) for name in ("jana", "petr"))
    running("eva", 1)
    assert preview_queue.count_before(first.requested) == 1
    assert preview_queue.count_before(second.requested) == 2


def test_a_new_preview_of_a_person_replaces_the_unfinished_one_only() -> None:
    done = preview_queue.request(ready_upload("jana"))
    preview_queue.compute(done.pk)
    running("jana", 1)
    latest = preview_queue.request(ready_upload("jana"))
    assert list(StoredPreview.objects.order_by("pk")) == [done, latest]
    assert states() == ["done", "waiting"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_stops_if_the_preview_is_no_longer_wanted(settings: Any, tmp_path: Path) -> None:
    upload = ready_upload("jana")
    preview = preview_queue.request(upload)
    # A program that never ends, in place of the one that makes the sample.
    program = tmp_path / "base" / "annotation" / "uploads" / "preview_sample.py"
    program.parent.mkdir(parents=True)
    program.write_text("import time; time.sleep(600)")
    settings.BASE_DIR = tmp_path / "base"

    def compute() -> None:
        try:
            preview_queue.compute(preview.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as executor:
        computed = executor.submit(compute)
        while states() != ["running"]:
            time.sleep(0.05)
        folders.remove(upload)
        computed.result(30)
    assert not StoredPreview.objects.exists()


@pytest.mark.parametrize(("attempts", "state"), [(1, "running"), (3, "failed")])
def test_the_preview_of_a_lost_worker_is_tried_again_or_fails(attempts: int, state: str) -> None:
    lost = running("jana", 1, seconds=-1, attempts=attempts)
    alive = running("karel", 2, attempts=attempts)
    preview_queue.enqueue_pending()
    lost.refresh_from_db()
    alive.refresh_from_db()
    assert (lost.state, alive.state) == (state, "running")
    claimed = [preview_queue.claim(preview.pk) for preview in (alive, lost)]
    assert [claim is not None for claim in claimed] == [False, state == "running"]
    assert bool(lost.error) == (state == "failed")


def test_a_preview_has_a_time_limit() -> None:
    preview = preview_queue.request(ready_upload("jana"))
    preview_queue.compute(preview.pk, patience=0)
    preview.refresh_from_db()
    assert preview.state == "failed"
    assert "took too long" in str(InputError.from_json(preview.error))


def test_a_program_that_crashes_fails_the_preview(settings: Any, tmp_path: Path) -> None:
    preview = preview_queue.request(ready_upload("jana"))
    # Where the program is not to be found.
    settings.BASE_DIR = tmp_path
    preview_queue.compute(preview.pk)
    assert states() == ["failed"]


def test_a_preview_of_files_that_were_deleted_says_so() -> None:
    upload = ready_upload("jana")
    preview = preview_queue.request(upload)
    folders.remove_files(upload)
    preview_queue.compute(preview.pk)
    preview.refresh_from_db()
    assert preview.state == "failed"
    assert "upload them again" in str(InputError.from_json(preview.error))


def test_the_files_of_a_temporary_upload_are_removed_once_it_is_previewed() -> None:
    upload = ready_upload("jana", is_temporary=True)
    preview = preview_queue.request(upload)
    preview_queue.compute(preview.pk)
    assert states() == ["done"]
    assert not list(stored_files.own_folder(stored_files.UPLOADS).iterdir())
    assert not storage.uploads_of(upload.owner)


def test_a_preview_goes_with_its_upload() -> None:
    upload = ready_upload("jana")
    preview_queue.request(upload)
    Upload.objects.update(created=timezone.now() - 2 * folders.UPLOADS_KEPT)
    folders.remove_old()
    assert not StoredPreview.objects.exists()


def test_no_sentence_of_a_preview_has_more_segments_than_a_page_can_show() -> None:
    source, target = split_at_spaces("word " * 200 + "word"), split_at_spaces("slovo")
    sentence = SampledSentence(
        7, source, [], "", {"north": SampledText(target, Links.without_direction([(0, 0)]))}
    )
    sample = Sample([sentence], "phrases", "systran", 1, 1, {}, ProjectionRule())
    stored = StoredPreview(
        upload=ready_upload("jana"), data={"sample": msgspec.to_builtins(sample)}
    )
    assert preview(stored, 3, 6).sentences
    with pytest.raises(InputError, match="sentence 7 has more than 200 segments"):
        preview(stored, 1, 1)
