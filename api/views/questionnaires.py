"""The questionnaires of a project, and what people answered."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_views import ApiView
from api.pagination import NewestFirstPagination, OldestFirstPagination, PageQuery
from api.permissions import IsProjectAdministrator
from people import questionnaires
from people.models import Answer, Question, Questionnaire
from people.models import Response as StoredResponse
from people.questionnaires import Value


class QuestionSerializer(serializers.ModelSerializer[Question]):
    choices = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Empty unless `kind` is `choice`."
    )

    class Meta:
        model = Question
        fields = ("position", "text", "kind", "choices", "required")
        read_only_fields = fields


class QuestionnaireSerializer(serializers.ModelSerializer[Questionnaire]):
    """A version. Without consent text and questions, annotators are asked nothing."""

    author = serializers.CharField(
        source="author.username", default=None, allow_null=True, read_only=True
    )
    valid_from = serializers.IntegerField(
        read_only=True, help_text="The earliest version whose answers need not be given again."
    )
    questions = QuestionSerializer(many=True, read_only=True)

    class Meta:
        model = Questionnaire
        fields = ("version", "valid_from", "consent", "created", "author", "questions")
        read_only_fields = fields


class AnswerSerializer(serializers.ModelSerializer[Answer]):
    question = serializers.CharField(source="question.text", read_only=True)
    answer = serializers.SerializerMethodField(help_text="A text, true, false or a number.")

    class Meta:
        model = Answer
        fields = ("question", "answer")
        read_only_fields = fields

    @extend_schema_field(OpenApiTypes.ANY)
    def get_answer(self, answer: Answer) -> Value:
        return answer.value


class ResponseSerializer(serializers.ModelSerializer[StoredResponse]):
    """The latest answers of a person."""

    user = serializers.IntegerField(source="user_id", read_only=True)
    username = serializers.CharField(source="user.username", read_only=True)
    version = serializers.IntegerField(source="questionnaire.version", read_only=True)
    answers = AnswerSerializer(many=True, read_only=True)

    class Meta:
        model = StoredResponse
        fields = ("user", "username", "version", "created", "answers")
        read_only_fields = fields


class QuestionnaireList(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]
    pagination_class = NewestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listQuestionnaires", responses=QuestionnaireSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the versions of the questionnaire

        The newest first: annotators who have not answered yet see that one.
        """
        return self.page_response(questionnaires.versions(self.project), QuestionnaireSerializer)


class QuestionnaireAnswers(ApiView):
    tag = "people"
    permission_classes = [IsProjectAdministrator]
    pagination_class = OldestFirstPagination
    query_serializers = {"GET": PageQuery}

    @extend_schema(operation_id="listQuestionnaireAnswers", responses=ResponseSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """List the latest answers of each person"""
        rows: Any = questionnaires.latest_responses(self.project)
        return self.page_response(rows, ResponseSerializer)
