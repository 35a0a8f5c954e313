"""Ten sentences of a project that is not made yet, as its annotators would see them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import Resource
from api.permissions import refuse_makers_of_none
from api.project_serializers import PIECES, PieceShown, sheet_shown
from api.project_uploads import Previewed, preview_project
from api.schema import describe
from api.serializers import Shown
from api.views.findings import COMPUTED
from api.views.new_projects import NewProject


class UsedShown(Shown):
    """The settings that were used; null for those that are of no use with these files."""

    name = serializers.CharField()
    description = serializers.CharField()
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    tokens = serializers.CharField()
    min_length = serializers.IntegerField(allow_null=True)
    max_length = serializers.IntegerField(allow_null=True)
    parser = serializers.CharField(
        allow_null=True, help_text="As chosen; brackets or conllu for trees that came as a file."
    )
    coverage = serializers.CharField(allow_null=True)
    aligner = serializers.CharField(
        allow_null=True, help_text="As chosen; pharaoh for links that came as files."
    )
    effort = serializers.CharField(allow_null=True)
    open_at_once = serializers.BooleanField()


class CandidateShown(Shown):
    text = serializers.CharField()


class PreviewedSegmentShown(Shown):
    pieces = PieceShown(many=True, help_text="Of the source; joined they are all of it.")
    candidates = CandidateShown(many=True, help_text="In no order; those that read the same once.")


class PreviewedSentenceShown(Shown):
    """A sentence; one without segments nobody would be given."""

    number = serializers.IntegerField(help_text="The line in the source.")
    source = serializers.CharField()  # type: ignore[assignment]  # a name that Field has
    reference = serializers.CharField(help_text="Empty where there is none.")
    segments = PreviewedSegmentShown(many=True)


class ProjectPreviewShown(Shown):
    """What a project would be like; nothing tells which system made what."""

    settings = UsedShown()
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="Worth knowing of the files, and no problem."
    )
    parser = serializers.CharField(help_text="That made the trees; empty where none did.")
    aligner = serializers.CharField(help_text="That linked the words; empty for given links.")
    aligned = serializers.IntegerField(
        help_text="From so many sentences it learned: the project is aligned from all of them."
    )
    total = serializers.IntegerField(help_text="Sentences of the project.")
    segments = serializers.IntegerField(help_text="Of the sentences below.")
    candidates = serializers.IntegerField(help_text="Of those segments.")
    sentences = PreviewedSentenceShown(
        many=True, help_text="Up to ten of them, spread over the text."
    )


PREVIEW: dict[str, Any] = {
    "settings": {
        "name": "News test",
        "description": "",
        "source_language": "en",
        "target_language": "cs",
        "tokens": "raw",
        "min_length": 3,
        "max_length": 6,
        "parser": "auto",
        "coverage": "algorithm1",
        "aligner": "auto",
        "effort": "normal",
        "open_at_once": True,
    },
    "notes": ["alfa.txt: 2 sentences have no translation here."],
    "parser": "embedded",
    "aligner": "eflomal",
    "aligned": 1250,
    "total": 3000,
    "segments": 1,
    "candidates": 2,
    "sentences": [
        {
            "number": 4,
            "source": "The old house stands near the river.",
            "reference": "Starý dům stojí u řeky.",
            "segments": [
                {"pieces": PIECES, "candidates": [{"text": "starý dům"}, {"text": "dům"}]}
            ],
        }
    ],
}


class ProjectPreview(Resource):
    tag = "projects"
    # It runs a parser and an aligner for whoever asks.
    cost = COMPUTED
    uploads = frozenset({"POST"})

    def may(self, request: Request) -> None:
        """Refuse who may make no project, before any file is taken."""
        refuse_makers_of_none(request)

    @describe(
        "previewProject",
        takes={"multipart/form-data": NewProject},
        returns=ProjectPreviewShown,
        example=PREVIEW,
        refusals=[409],
    )
    def post(self, request: Request) -> Response:
        """See ten sentences of a project before it is made

        Takes what `createProject` takes, refuses what that would refuse, and keeps nothing. Words
        are aligned on a sample, within three minutes at most, so some candidates of the project
        will be better. Counts as ten requests.
        """
        previewed = preview_project(user=self.user, sent=self.body(request, NewProject))
        return Response(ProjectPreviewShown(_shown(previewed)).data)


def _shown(previewed: Previewed) -> dict[str, Any]:
    preview = previewed.preview
    figures = ("parser", "aligner", "aligned", "segments", "candidates")
    return {
        "settings": previewed.settings,
        "notes": previewed.notes,
        "total": previewed.total,
        **{name: getattr(preview, name) for name in figures},
        "sentences": [
            {"number": sentence.number} | sheet_shown(sentence.sheet)
            for sentence in preview.sentences
        ],
    }
