"""Making a project: sending its files, saying what they are, and looking at ten sentences."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.common.error_messages import localize, localize_error, with_location
from annotation.common.languages import NAMES
from annotation.formats.errors import InputError
from annotation.formats.problems import Problem
from annotation.models import Upload, User
from annotation.projects.permissions import may_create_projects
from annotation.uploads import create_project, folders, storage
from annotation.uploads.preview import preview
from annotation.uploads.upload_handlers import came_whole, stream_to_disk
from annotation.web.forms.new_project import DetailsForm, LengthsForm, file_rows, posted_roles

# Reasons for not taking files that are told at once.
MOST_REFUSALS = 20

View = Callable[..., HttpResponse]


def for_makers(view: View) -> View:
    """Let in only those who may make projects; for the others the pages are not there."""

    @never_cache
    @login_required
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_create_projects(_user(request)):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


def takes_files(view: View) -> View:
    """Let files stream to the disk, once it is known that they are allowed and not too large.

    Django's protection against forged requests reads the whole form, so it comes after that.
    """

    @csrf_protect
    def read(request: HttpRequest, token: str) -> HttpResponse:
        # All is read before anything is done with a part of it.
        return view(request, token) if came_whole(request) else _too_large(request)

    @csrf_exempt
    @wraps(view)
    def streamed(request: HttpRequest, token: str = "") -> HttpResponse:
        if request.method != "POST":
            return read(request, token)
        upload = _upload(request, token) if token else None
        if not stream_to_disk(request, storage.bytes_left(upload)):
            return _too_large(request)
        return read(request, token)

    return streamed


@for_makers
@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest, token: str = "") -> HttpResponse:
    """Ask for files; the first that come begin an upload."""
    user = _user(request)
    if request.method == "POST" and request.FILES:
        return _begin(request, user)
    if request.method == "POST":
        messages.error(request, _("Choose files first."))
    folders.remove_old()
    context = {"limit": limit_in_megabytes(), "uploads": storage.uploads_of(user)}
    return render(request, "annotation/new_project.html", context)


@for_makers
@takes_files
@require_POST
def add_files(request: HttpRequest, token: str) -> HttpResponse:
    return _take(request, _upload(request, token))


@for_makers
@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest, token: str) -> HttpResponse:
    """Show the files with what is wrong with them; store what is filled in, and go on."""
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
    if "go-on" not in request.POST:
        return redirect("new-project-files", token)
    if is_valid and create_project.is_ready(upload):
        return redirect("new-project-preview", token)
    return _show_files(request, upload, form)


@for_makers
@require_POST
def discard(request: HttpRequest, token: str) -> HttpResponse:
    folders.remove(_upload(request, token))
    messages.info(request, _("The files are removed."))
    return redirect("new-project")


@for_makers
@require_http_methods(["GET", "HEAD", "POST"])
def show_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of the preview; store the lengths, and make the project where it is asked."""
    upload = _upload(request, token)
    if not create_project.is_ready(upload):
        return redirect("new-project-files", token)
    if request.method != "POST":
        shortest, longest = create_project.lengths(upload)
        form = LengthsForm({"min_length": shortest, "max_length": longest})
        return _show_preview(request, upload, form)
    form = LengthsForm(request.POST)
    if not form.is_valid():
        return _show_preview(request, upload, form)
    values = form.cleaned_data | {"open_at_once": "open_at_once" in request.POST}
    storage.change(upload, roles={}, values=values)
    return _prepare(request, upload) if "prepare" in request.POST else redirect(request.path)


@for_makers
@require_safe
def preview_sentences(request: HttpRequest, token: str) -> HttpResponse:
    """Answer with the sentences alone, for a slider; lengths that are impossible get 400."""
    upload = _upload(request, token)
    form = LengthsForm(request.GET)
    if not create_project.is_ready(upload) or not form.is_valid():
        return HttpResponse(status=400)
    context = _preview_context(upload, form)
    return render(request, "annotation/_preview_sentences.html", context)


def _begin(request: HttpRequest, user: User) -> HttpResponse:
    try:
        upload = storage.new_upload(user)
    except storage.TooMany:
        told = _(
            "You are making %(most)d projects already: finish one of them, or remove its files."
        )
        messages.error(request, told % {"most": storage.MOST_UPLOADS})
        return _go(request, reverse("new-project"))
    try:
        return _take(request, upload)
    except OSError:
        folders.remove(upload)
        raise


def _take(request: HttpRequest, upload: Upload) -> HttpResponse:
    paths = request.POST.getlist("path")
    sent = request.FILES.getlist("files")
    # A script sends along where each file lay in its folder; the form alone cannot.
    names = paths if len(paths) == len(sent) else [str(file.name) for file in sent]
    refused = storage.take(upload, zip(names, sent, strict=True))
    _tell_refusals(request, refused)
    if not upload.files.exists():
        folders.remove(upload)
        if not refused:
            messages.error(request, _("There were no files."))
        return _go(request, reverse("new-project"))
    return _go(request, reverse("new-project-files", args=[upload.token]))


def _tell_refusals(request: HttpRequest, refused: list[Problem]) -> None:
    for problem in refused[:MOST_REFUSALS]:
        messages.error(request, with_location(localize(problem)))
    more = len(refused) - MOST_REFUSALS
    if more > 0:
        told = ngettext("%(n)d more file was not taken.", "%(n)d more files were not taken.", more)
        messages.error(request, told % {"n": more})


def _go(request: HttpRequest, address: str) -> HttpResponse:
    if request.accepts("text/html"):
        return redirect(address)
    return JsonResponse({"address": address})


def _too_large(request: HttpRequest) -> HttpResponse:
    limit = limit_in_megabytes()
    told = _("These files are too large: an upload takes at most %(limit)d MB.") % {"limit": limit}
    if not request.accepts("text/html"):
        return JsonResponse({"detail": told}, status=413)
    context = {"limit": limit, "uploads": [], "too_large": told}
    return render(request, "annotation/new_project.html", context, status=413)


def limit_in_megabytes() -> int:
    return int(settings.MAX_UPLOAD_BYTES) // 1_000_000


def _show_files(request: HttpRequest, upload: Upload, form: DetailsForm | None) -> HttpResponse:
    found = storage.findings(upload)
    suggested = storage.suggested_languages(upload)
    context = {
        "upload": upload,
        "rows": file_rows(upload),
        "form": form or DetailsForm(initial=_initial(upload, suggested)),
        "ready_made": storage.uploaded_texts(upload).is_ready_made,
        "findings": found,
        "problems": [localize(problem) for problem in found.problems],
        "notes": [localize(note) for note in found.notes],
        "suggested": suggested,
        "languages": sorted(NAMES.items(), key=lambda row: str(row[1])),
        "limit": limit_in_megabytes(),
    }
    status = 400 if form is not None else 200
    return render(request, "annotation/new_project_files.html", context, status=status)


def _initial(upload: Upload, suggested: tuple[str, str]) -> dict[str, Any]:
    filled = upload.settings
    return {
        **filled,
        **filled.get("options", {}),
        "source_language": filled.get("source_language") or suggested[0],
        "target_language": filled.get("target_language") or suggested[1],
    }


def _show_preview(request: HttpRequest, upload: Upload, form: LengthsForm) -> HttpResponse:
    """Render the page; a script fetches the sentences itself, so that the page is there at once."""
    wants_all = "all" in request.GET or request.method == "POST"
    context = {
        "upload": upload,
        "form": form,
        "open_at_once": upload.settings.get("open_at_once", True),
        **_common_context(upload),
    }
    if wants_all and form.is_valid():
        context |= _preview_context(upload, form)
    status = 200 if form.is_valid() else 400
    return render(request, "annotation/new_project_preview.html", context, status=status)


def _preview_context(upload: Upload, form: LengthsForm) -> dict[str, Any]:
    context = _common_context(upload)
    try:
        lengths = form.cleaned_data["min_length"], form.cleaned_data["max_length"]
        context["preview"] = preview(upload, *lengths)
    except InputError as problem:
        context["preview_problem"] = localize_error(problem)
    return context


def _common_context(upload: Upload) -> dict[str, Any]:
    return {
        "project": _as_project(upload),
        "given": storage.uploaded_texts(upload),
        "sentences": storage.findings(upload).sentences,
    }


def _as_project(upload: Upload) -> dict[str, str]:
    """Return what the templates of the judging page want to know of the project."""
    names = ("name", "source_language", "target_language")
    return {name: str(upload.settings.get(name, "")) for name in names}


def _prepare(request: HttpRequest, upload: Upload) -> HttpResponse:
    try:
        project = create_project.make_project(upload)
    except create_project.NotReady:
        return redirect("new-project-files", upload.token)
    except InputError as problem:
        messages.error(request, with_location(localize_error(problem)))
        return redirect("new-project-files", upload.token)
    return redirect("preparing", project.pk)


def _upload(request: HttpRequest, token: str) -> Upload:
    upload = Upload.objects.filter(token=token, owner=_user(request)).first()
    if upload is None:
        raise Http404
    return upload


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
