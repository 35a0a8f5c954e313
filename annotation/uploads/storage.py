"""Uploads and their files: storing them, changing their roles and settings, checking them."""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile as SentFile
from django.db import DatabaseError
from django.db.models import Q, Sum
from django.utils.translation import gettext as _
from msgspec import to_builtins
from msgspec.structs import replace

from annotation.common import stored_files
from annotation.common.exceptions import NotPossible
from annotation.common.transactions import writing
from annotation.formats.encodings import UTF_8
from annotation.formats.file_kinds import TEXT, detect_kind
from annotation.formats.file_roles import (
    DOCUMENTS,
    MEDIA,
    REFERENCE,
    SEGMENTS,
    SOURCE,
    SYSTEM,
    UNUSED,
)
from annotation.formats.fingerprints import Fingerprint, Originals
from annotation.formats.problems import Collector, Findings, Problem, Refused
from annotation.kinds import KINDS
from annotation.models import StoredPreview, Upload, UploadedFile, User
from annotation.uploads import folders
from annotation.uploads.checks import check, check_roles_beside_segments
from annotation.uploads.file_detection import (
    LONGEST_SHOWN,
    detect_language,
    detect_languages_of_segments,
    guess,
    shown_name,
)
from annotation.uploads.settings import settings_of
from annotation.uploads.unpacking import MOST_ENTRIES, Stored, store
from annotation.uploads.uploaded_texts import UploadedText, UploadedTexts, lines_of

# Uploads of one user that are not projects yet.
MOST_UPLOADS = 20
NONE = Q(pk__in=[])


class TooMany(NotPossible):
    """The user has MOST_UPLOADS uploads that are not projects yet."""

    def __init__(self) -> None:
        words = _("You have %(most)d unfinished projects. Finish or remove one of them first.")
        super().__init__(words % {"most": MOST_UPLOADS})


def new_upload(owner: User, *, is_temporary: bool = False) -> Upload:
    """Create an upload, and remove old ones and former temporary ones. Raise TooMany."""
    folders.remove_old()
    own = Upload.objects.filter(owner=owner)
    if is_temporary:
        for former in own.filter(is_temporary=True):
            folders.remove(former)
    if own.filter(is_temporary=False, project=None).count() >= MOST_UPLOADS:
        raise TooMany
    return Upload.objects.create(owner=owner, is_temporary=is_temporary)


def uploads_of(owner: User) -> list[Upload]:
    """Return the uploads that are not projects yet, with their files, the newest first."""
    own = Upload.objects.filter(owner=owner, is_temporary=False, project=None)
    return list(own.order_by("-pk").prefetch_related("files"))


def bytes_left(upload: Upload | None, replaced: Q = NONE) -> int:
    """Return how many bytes further files may have that replace these."""
    stored = upload and upload.files.exclude(replaced).aggregate(sum=Sum("size"))["sum"]
    return max(0, int(settings.MAX_UPLOAD_BYTES) - (stored or 0))


def take(
    upload: Upload, sent: Iterable[tuple[str, SentFile]], encoding: str = UTF_8
) -> list[Problem]:
    """Store uploaded files, (name, file), and unpack zips; return the problems of refused files.

    A file replaces another one of the same name. `encoding` is that of texts which are not UTF-8.
    Raises OSError or DatabaseError if a disk is full; nothing remains then of the file that did not
    fit.
    """
    refused: list[Problem] = []
    for raw_name, file in sent:
        with file.open() as content:
            refused += _take(upload, shown_name(raw_name) or "?", content, encoding)
    _guess_names(upload)
    return refused


def read_as(file: UploadedFile, encoding: str) -> list[Problem]:
    """Replace a text that is not UTF-8 by the same in UTF-8; return the problems if it is refused.

    It keeps its role, but becomes several files if it is a table.
    """
    upload, role, system = file.upload, file.role, file.system
    with stored_files.fetch(_name_of(file)).open("rb") as content:
        refused = _take(upload, file.name, content, encoding)
    upload.files.filter(name=file.name).update(role=role, system=system)
    _guess_names(upload)
    return refused


def _take(upload: Upload, name: str, content: IO[bytes], encoding: str) -> list[Problem]:
    """Store a file as `take` does."""
    refused = []
    kept: list[Path] = []
    # Files, and tables as a whole, that are there now.
    replaced: set[str] = set()
    limit = bytes_left(upload, Q(name=name) | Q(table=name))
    try:
        for stored in store(name, content, lambda: folders.new_path(upload), limit, encoding):
            if isinstance(stored, Refused):
                refused.append(stored.problem)
                continue
            kept.append(stored.path)
            whole = stored.table or stored.name
            _add(upload, stored, whole="" if whole in replaced else whole)
            replaced.add(whole)
    except Refused as refusal:
        # A refused zip is not stored in part.
        _remove(upload, kept)
        refused.append(refusal.problem)
    except (OSError, DatabaseError):
        _remove(upload, kept)
        raise
    return refused


def _remove(upload: Upload, paths: list[Path]) -> None:
    for path in paths:
        stored_files.delete(stored_files.name_of(path))
    upload.files.filter(stored__in=[path.name for path in paths]).delete()


def _add(upload: Upload, stored: Stored, whole: str) -> None:
    """Add the row of a stored text or medium, in place of one of the same name. Raise Refused.

    If it is the first of a table, or a file of its own, `whole` is the name; all of the former is
    replaced.
    """
    kind = stored.media_type or detect_kind(stored.path)
    guessed = guess(stored.name, kind, stored.heading)
    text = UploadedText(stored.name, stored.path, guessed.role, kind=kind)
    language = target = ""
    if kind == SEGMENTS:
        language, target = detect_languages_of_segments(lines_of(text))
    elif kind == TEXT and guessed.role not in (DOCUMENTS, UNUSED):
        language = detect_language(lines_of(text))
    with writing():
        # Requests that send files at the same time share the quota, and may send the same file.
        Upload.objects.select_for_update(no_key=True).get(pk=upload.pk)
        same = Q(name=stored.name)
        if whole:
            same |= Q(name=whole) | Q(table=whole)
        if upload.files.exclude(same).count() >= MOST_ENTRIES:
            raise Refused("too-many-files", stored.name, most=MOST_ENTRIES)
        if stored.size > bytes_left(upload, same):
            raise Refused("too-large", stored.name)
        for old in upload.files.filter(same):
            remove_file(old)
        stored_files.keep(stored.path, stored_files.name_of(stored.path))
        UploadedFile.objects.create(
            upload=upload,
            role=guessed.role,
            system=guessed.system[:LONGEST_SHOWN],
            name=stored.name,
            stored=stored.path.name,
            table=stored.table,
            read_as=stored.read_as,
            kind=kind,
            language=language,
            target_language=target,
            size=stored.size,
            lines=stored.lines,
            sha256=stored.sha256,
        )


def _guess_names(upload: Upload) -> None:
    """If no name suggests the source, choose the only text in another language than the others."""
    files = list(upload.files.all())
    texts = [file for file in files if file.kind == TEXT and file.role != DOCUMENTS]
    if len(texts) < 3 or any(file.role == SOURCE for file in files):
        return
    languages = [file.language for file in texts]
    alone = [file for file in texts if file.language and languages.count(file.language) == 1]
    if len(alone) == 1 and len(set(languages)) == 2:
        UploadedFile.objects.filter(pk=alone[0].pk).update(role=SOURCE, system="")


def remove_file(file: UploadedFile) -> None:
    stored_files.delete(_name_of(file))
    file.delete()


def _name_of(file: UploadedFile) -> str:
    return f"{folders.name_of(file.upload)}/{file.stored}"


def change(upload: Upload, *, roles: Mapping[int, tuple[str, str]], values: dict[str, Any]) -> None:
    """Store the roles of files, (role, system) by id, and values of UploadSettings by name."""
    for file in upload.files.all():
        role, system = roles.get(file.pk, (file.role, file.system))
        if (role, system) != (file.role, file.system):
            file.role, file.system = role, system
            file.save(update_fields=["role", "system"])
    upload.settings = to_builtins(replace(settings_of(upload), **values))
    upload.save(update_fields=["settings"])


def suggested_languages(upload: Upload) -> tuple[str, str]:
    """Return the codes of the source's and the target's language, "" if not clear."""
    files = list(upload.files.all())
    source = next((file.language for file in files if file.role in {SOURCE, SEGMENTS}), "")
    others = [file.language for file in files if file.role in {REFERENCE, SYSTEM}]
    others += [file.target_language for file in files if file.role == SEGMENTS]
    known = [language for language in others if language]
    return source, max(set(known), key=known.count) if known else ""


def fetch(given: UploadedTexts, *, with_media: bool = False) -> None:
    """Copy the texts to their paths on this host, and the media, too, if they are to be read.

    Of a file that is not stored any more, nothing is at its path.
    """
    for file in given.files:
        if with_media or file.role != MEDIA:
            stored_files.fetch(stored_files.name_of(file.path))


def uploaded_texts(upload: Upload) -> UploadedTexts:
    """Return the files with their roles, how to read them, and where `fetch` puts them."""
    folder = stored_files.path_of(folders.name_of(upload))
    source, target = suggested_languages(upload)
    filled = settings_of(upload)
    return UploadedTexts(
        files=[
            UploadedText(
                name=file.name,
                path=folder / file.stored,
                role=file.role,
                system=file.system,
                kind=file.kind,
                language=file.language,
                read_as=file.read_as,
                table=file.table,
            )
            for file in upload.files.order_by("pk")
        ],
        source_language=filled.source_language or source or "en",
        target_language=filled.target_language or target or "en",
        tokens=filled.tokens,
        kind=filled.kind,
        whole_sentences=not KINDS[filled.kind].unit.is_segmented,
        answer_options=filled.answer_options,
    )


def originals(upload: Upload) -> Originals:
    """Return the names and checksums of the uploaded files by the paths of their texts."""
    folder = stored_files.path_of(folders.name_of(upload))
    return {
        folder / file.stored: Fingerprint(file.name, file.sha256) for file in upload.files.all()
    }


def findings(upload: Upload) -> Findings:
    """Return the problems of the files; stored, since reading large files takes seconds.

    Of ready-made segments only their roles are checked here: a worker reads their rows for the
    preview, and what it finds is returned once it is known.
    """
    files = uploaded_texts(upload)
    if files.is_ready_made:
        made = StoredPreview.objects.filter(upload=upload, key=preview_key(upload))
        found_before = made.values_list("data__findings", flat=True).first()
        if found_before:
            return Findings.from_json(found_before)
        collector = Collector(files.names)
        check_roles_beside_segments(files.readable(), collector)
        return collector.findings(0)
    path = folders.folder_of(upload) / f"findings-{_key_of(files)}.json"
    if path.exists():
        return Findings.from_json(json.loads(path.read_text(encoding="utf-8")))
    fetch(files.readable())
    found = check(files)
    write(path, found.to_json())
    return found


def preview_key(upload: Upload) -> str:
    """Return a key that changes with all that the stored preview depends on."""
    chosen = settings_of(upload)
    return _key_of(uploaded_texts(upload), chosen.parser, chosen.aligner)


def _key_of(given: UploadedTexts, *more: str) -> str:
    """Return a key that changes with the files, their roles and the settings.

    It is the same on all hosts, whose paths differ.
    """
    files = [
        dataclasses.replace(file, path=Path(stored_files.name_of(file.path)))
        for file in given.files
    ]
    key = (dataclasses.replace(given, files=files), more)
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def write(path: Path, data: Mapping[str, Any]) -> None:
    """Write a file atomically."""
    fresh = path.with_suffix(".new")
    try:
        fresh.write_text(json.dumps(data), encoding="utf-8")
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
