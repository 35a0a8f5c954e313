"""Creating a project: files and their roles, the preview of ten sentences, the settings."""

from collections import Counter
from collections.abc import Callable
from functools import wraps
from itertools import chain, count
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import DatabaseError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec.structs import asdict

from annotation.common.error_messages import (
    localize,
    localize_error,
    localized_errors,
    with_location,
)
from annotation.formats.errors import InputError
from annotation.formats.media_files import MOST_OF_LINE
from annotation.formats.names import plain_name
from annotation.formats.problems import Problem
from annotation.kinds import DEFAULT, KINDS, kind_of
from annotation.models import Project, StoredPreview, Upload, UploadedFile
from annotation.pipeline import chunks
from annotation.process import clock
from annotation.projects.limits import LONGEST_NAME
from annotation.uploads import create_project, folders, preview_queue, sample, storage
from annotation.uploads.preview import preview
from annotation.uploads.settings import settings_of
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.confirmation import ask, is_confirmed
from annotation.web.forms.new_project import (
    DetailsForm,
    JudgingForm,
    LengthsForm,
    file_rows,
    posted_roles,
)
from annotation.web.project_views import for_project_creators
from annotation.web.requests import SignedInRequest

# Files whose refusal is explained; more are counted.
MAX_REFUSALS = 20

View = Callable[..., HttpResponse]


def takes_files(view: View) -> View:
    """Stream uploaded files to the disk once permission and size are checked.

    The CSRF check reads the whole body, so it comes after these checks.
    """

    @csrf_protect
    def read(request: SignedInRequest, token: str) -> HttpResponse:
        return view(request, token) if came_whole(request) else _too_large(request)

    @csrf_exempt
    @wraps(view)
    def streamed(request: SignedInRequest, token: str = "") -> HttpResponse:
        if request.method != "POST":
            return read(request, token)
        upload = _upload(request, token) if token else None
        if not stream_to_disk(request, storage.bytes_left(upload)):
            return _too_large(request)
        return read(request, token)

    return streamed


@for_project_creators
@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: SignedInRequest, token: str = "") -> HttpResponse:
    """Ask for files; the first ones start an upload."""
    if request.method == "POST" and request.FILES:
        return _begin(request)
    if request.method == "POST":
        messages.error(request, _("Choose files first."))
    folders.remove_old()
    context = {
        "limit": limit_in_megabytes(),
        **limits_of_media(),
        "uploads": storage.uploads_of(request.user),
        "name": _posted_name(request),
        "kind": _posted_kind(request),
    }
    return render(request, "annotation/new_project.html", context)


@for_project_creators
@require_POST
def start_with_sample(request: SignedInRequest) -> HttpResponse:
    """Start an upload with the sample files."""
    try:
        name = _posted_name(request) or _unused_name()
        upload = sample.sample_upload(request.user, name, _posted_kind(request))
    except storage.TooMany as problem:
        messages.error(request, str(problem))
        return redirect("new-project")
    return redirect("new-project-files", upload.token)


@for_project_creators
@require_safe
def download_sample(request: SignedInRequest) -> HttpResponse:
    return HttpResponse(
        sample.sample_zip(),
        content_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="segranks-sample.zip"'},
    )


@for_project_creators
@takes_files
@require_POST
def add_files(request: SignedInRequest, token: str) -> HttpResponse:
    return _take(request, _upload(request, token))


@for_project_creators
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: SignedInRequest, token: str) -> HttpResponse:
    """Show the files and their problems; store the form, and continue to the preview."""
    upload = _upload(request, token)
    if request.method != "POST":
        return _show_files(request, upload, None)
    form = DetailsForm(request.POST)
    is_valid = form.is_valid()
    storage.change(upload, roles=posted_roles(upload, request.POST), values=form.to_store())
    removed = request.POST.get("remove", "")
    if removed.isdecimal() and len(removed) < 19:
        for file in upload.files.filter(pk=int(removed)):
            storage.remove_file(file)
        return redirect("new-project-files", token)
    if encodings := _posted_encodings(request, upload):
        for file, encoding in encodings:
            _report_refusals(request, storage.read_as(file, encoding))
        return redirect("new-project-files", token)
    if "go-on" not in request.POST:
        return redirect("new-project-files", token)
    if is_valid and create_project.is_ready(upload):
        return redirect("new-project-preview", token)
    return _show_files(request, upload, form)


@for_project_creators
@require_POST
def discard(request: SignedInRequest, token: str) -> HttpResponse:
    upload = _upload(request, token)
    if not is_confirmed(request):
        return ask(
            request,
            question=_("Discard this upload?"),
            consequences=[_("All its files and settings are deleted. You cannot undo this.")],
            button=_("Discard all"),
            back=reverse("new-project-files", args=[token]),
        )
    folders.remove(upload)
    messages.info(request, _("All files were removed."))
    return redirect("new-project")


@for_project_creators
@require_http_methods(["GET", "HEAD", "POST"])
def show_preview(request: SignedInRequest, token: str) -> HttpResponse:
    """Show the preview, which a worker computes; store the lengths, and go on to the settings.

    With `?asked`, as while the page waits, no preview is requested: two pages of the same person
    would replace each other's.
    """
    upload = _upload(request, token)
    if not create_project.is_ready(upload):
        return redirect("new-project-files", token)
    if request.method == "POST" and "again" in request.POST:
        preview_queue.request_again(upload)
        return redirect(request.path)
    if request.method != "POST":
        if "asked" not in request.GET:
            preview_queue.request(upload)
        shortest, longest = settings_of(upload).lengths
        form = LengthsForm({"min_length": shortest, "max_length": longest})
        return _show_preview(request, upload, form)
    form = LengthsForm(request.POST)
    if not form.is_valid():
        return _show_preview(request, upload, form)
    storage.change(upload, roles={}, values=form.cleaned_data)
    following = "new-project-judging" if "go-on" in request.POST else "new-project-preview"
    return redirect(following, token)


@for_project_creators
@require_http_methods(["GET", "HEAD", "POST"])
def judging_settings(request: SignedInRequest, token: str) -> HttpResponse:
    """Show the settings of judging and the instructions; store them, and create the project."""
    upload = _upload(request, token)
    if not create_project.is_ready(upload):
        return redirect("new-project-files", token)
    form = JudgingForm(request.POST or None, upload=upload)
    if not form.is_valid():
        context = {
            "upload": upload,
            "form": form,
            "project": _as_project(upload),
            "given": storage.uploaded_texts(upload),
        }
        status = 400 if form.is_bound else 200
        return render(request, "annotation/new_project_judging.html", context, status=status)
    storage.change(upload, roles={}, values=form.to_store())
    return _prepare(request, upload)


@for_project_creators
@require_safe
def preview_sentences(request: SignedInRequest, token: str) -> HttpResponse:
    """Return only the sentences, for the script; 202 while they are pending.

    400 for impossible lengths; 409 if the files have problems.
    """
    upload = _upload(request, token)
    form = LengthsForm(request.GET)
    if not form.is_valid():
        return HttpResponse(status=400)
    if not create_project.is_ready(upload):
        return HttpResponse(status=409)
    context = _preview_context(upload, form)
    status = 202 if context["pending"] else 200
    return render(request, "annotation/new_project/_sentences.html", context, status=status)


def _posted_name(request: SignedInRequest) -> str:
    """Return the name as it was typed; it is checked with the other details."""
    return plain_name(request.POST.get("name", "").replace("\0", ""))[:LONGEST_NAME]


def _posted_kind(request: SignedInRequest) -> str:
    kind = request.POST.get("kind", "")
    return kind if kind in KINDS else DEFAULT.name


def _posted_encodings(request: SignedInRequest, upload: Upload) -> list[tuple[UploadedFile, str]]:
    """Return the files that are to be read in another encoding, which their problems name."""
    wanted = request.POST.get("read-as", "")
    return [
        (file, encoding)
        for _problem, file, encoding in _problems_of_files(upload)
        if file and wanted in (str(file.pk), encoding)
    ]


def _problems_of_files(upload: Upload) -> list[tuple[Problem, UploadedFile | None, str]]:
    """Return the problems, and of one with the encoding the file and its probable encoding."""
    files = {file.name: file for file in upload.files.all()}
    return [
        (problem, files.get(problem.file) if encoding else None, encoding)
        for problem in storage.findings(upload).problems
        for encoding in [str(problem.values.get("encoding", ""))]
    ]


def _unused_name() -> str:
    """Return a name for a project with the sample files."""
    base = _("Sample project")
    taken = set(Project.objects.filter(name__startswith=base).values_list("name", flat=True))
    numbered = (f"{base} {number}" for number in count(2))
    return next(name for name in chain([base], numbered) if name not in taken)


def _begin(request: SignedInRequest) -> HttpResponse:
    try:
        upload = storage.new_upload(request.user)
    except storage.TooMany as problem:
        messages.error(request, str(problem))
        return _redirect(request, reverse("new-project"))
    values = {"name": _posted_name(request), "kind": _posted_kind(request)}
    storage.change(upload, roles={}, values=values)
    try:
        return _take(request, upload)
    except (OSError, DatabaseError):
        folders.remove(upload)
        raise


def _take(request: SignedInRequest, upload: Upload) -> HttpResponse:
    paths = request.POST.getlist("path")
    sent = request.FILES.getlist("files")
    # The page's script also sends the path of each file in its folder.
    names = paths if len(paths) == len(sent) else [str(file.name) for file in sent]
    refused = storage.take(upload, zip(names, sent, strict=True))
    _report_refusals(request, refused)
    if not upload.files.exists():
        folders.remove(upload)
        if not refused:
            messages.error(request, _("The upload had no files."))
        return _redirect(request, reverse("new-project"))
    return _redirect(request, reverse("new-project-files", args=[upload.token]))


def _report_refusals(request: SignedInRequest, refused: list[Problem]) -> None:
    for problem in refused[:MAX_REFUSALS]:
        messages.error(request, with_location(localize(problem)))
    more = len(refused) - MAX_REFUSALS
    if more > 0:
        message = ngettext("%(n)d more file was refused.", "%(n)d more files were refused.", more)
        messages.error(request, message % {"n": more})


def _redirect(request: SignedInRequest, address: str) -> HttpResponse:
    if request.accepts("text/html"):
        return redirect(address)
    return JsonResponse({"address": address})


def _too_large(request: SignedInRequest) -> HttpResponse:
    limit = limit_in_megabytes()
    message = _("These files are too large. The limit is %(limit)d MB.") % {"limit": limit}
    if not request.accepts("text/html"):
        return JsonResponse({"detail": message}, status=413)
    context = {"limit": limit, "uploads": [], "too_large": message, **limits_of_media()}
    return render(request, "annotation/new_project.html", context, status=413)


def limit_in_megabytes() -> int:
    return int(settings.MAX_UPLOAD_BYTES) // 1_000_000


def limits_of_media() -> dict[str, int]:
    """Return the limits of media that pages name."""
    return {
        "medium_limit": int(settings.MAX_MEDIUM_BYTES) // 1_000_000,
        "most_of_line": MOST_OF_LINE,
    }


def _show_files(request: SignedInRequest, upload: Upload, form: DetailsForm | None) -> HttpResponse:
    found = storage.findings(upload)
    suggested = storage.suggested_languages(upload)
    problems = _problems_of_files(upload)
    encodings = Counter(encoding for _problem, file, encoding in problems if file)
    context = {
        "upload": upload,
        "rows": file_rows(upload),
        "form": form or DetailsForm(initial=_initial(upload, suggested)),
        "ready_made": storage.uploaded_texts(upload).is_ready_made,
        "findings": found,
        "problems": [(localize(problem), file, code) for problem, file, code in problems],
        "shared_encodings": [code for code, count in encodings.items() if count > 1],
        "notes": [localize(note) for note in found.notes],
        "suggested": suggested,
        "wrong": form.problems if form else [],
        "limit": limit_in_megabytes(),
        **limits_of_media(),
    }
    status = 400 if form is not None else 200
    return render(request, "annotation/new_project_files.html", context, status=status)


def _initial(upload: Upload, suggested: tuple[str, str]) -> dict[str, Any]:
    filled = settings_of(upload)
    # Without labels, the form suggests some.
    given = {name: value for name, value in asdict(filled).items() if value != ""}
    return {
        **given,
        "source_language": filled.source_language or suggested[0],
        "target_language": filled.target_language or suggested[1],
    }


def _show_preview(request: SignedInRequest, upload: Upload, form: LengthsForm) -> HttpResponse:
    context = {"upload": upload, "form": form, **_preview_context(upload, form)}
    status = 200 if form.is_valid() else 400
    return render(request, "annotation/new_project_preview.html", context, status=status)


def _preview_context(upload: Upload, form: LengthsForm) -> dict[str, Any]:
    """Return what the page shows of the preview, which may be pending, failed or replaced."""
    stored, given = preview_queue.current(upload), storage.uploaded_texts(upload)
    context: dict[str, Any] = {
        "upload": upload,
        "project": _as_project(upload),
        "given": given,
        "shown_alone": given.is_ready_made and kind_of(given).shown.context,
        "sentences": storage.findings(upload).sentences,
        "stored": stored,
        "pending": stored is not None and stored.is_unfinished,
    }
    if stored is None:
        return context
    if stored.is_unfinished:
        if stored.started and stored.state == StoredPreview.State.RUNNING:
            context["seconds"] = round((clock.now() - stored.started).total_seconds())
        else:
            context["before"] = preview_queue.count_before(stored.requested) + chunks.count_live()
        return context
    try:
        if stored.error:
            raise InputError.from_json(stored.error)
        if form.is_valid():
            lengths = form.cleaned_data["min_length"], form.cleaned_data["max_length"]
            context["preview"] = preview(stored, *lengths)
    except InputError as problem:
        context["preview_problem"] = localize_error(problem)
    return context


def _as_project(upload: Upload) -> Project:
    """Return a project, not stored, for the templates of the judging page."""
    names = ("name", "source_language", "target_language", "answer_options", "kind")
    filled = settings_of(upload)
    return Project(**{name: getattr(filled, name) for name in names})


def _prepare(request: SignedInRequest, upload: Upload) -> HttpResponse:
    try:
        project = create_project.make_project(upload)
    except create_project.NotReady:
        return redirect("new-project-files", upload.token)
    except InputError as problem:
        for said in localized_errors(problem)[:MAX_REFUSALS]:
            messages.error(request, with_location(said))
        return redirect("new-project-files", upload.token)
    return redirect("preparing", project.pk)


def _upload(request: SignedInRequest, token: str) -> Upload:
    upload = Upload.objects.filter(token=token, owner=request.user, project=None).first()
    if upload is None:
        raise Http404
    return upload
