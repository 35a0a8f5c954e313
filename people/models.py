"""Invitations, reminders, questionnaires, email addresses to be confirmed, and sessions."""

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership
from annotation.models.secret_links import SecretLink, SecretLinks, WithToken, WithTokens
from annotation.process import clock


class Mailed(models.Model):
    """What a worker mails; `mail.unclaimed` says when it may."""

    # Of the person who caused the email; "" for that of the site.
    language = models.CharField(max_length=10, blank=True)
    # When a worker last began to mail it.
    claimed = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Invitations(SecretLinks["Invitation"]):
    def open(self) -> Self:
        """Return those that are not used up and whose creator may still give that role."""
        makers = Membership.objects.filter(
            project=models.OuterRef("project"), user=models.OuterRef("created_by")
        )
        administers = models.Exists(makers.filter(role__in=Membership.ADMINISTERING))
        owns = models.Exists(makers.filter(role=Membership.Role.OWNER))
        may_invite = administers & (~models.Q(role=Membership.Role.OWNER) | owns)
        unended = super().open().filter(project__delete_after=None, created_by__is_active=True)
        return unended.filter(
            may_invite | models.Q(created_by__is_superuser=True), used__lt=models.F("use_limit")
        )


class Invitation(Mailed, SecretLink):
    """Lets the bearer of its link into a project.

    It can be used `use_limit` times; an invitation for an email address, once.
    """

    class Mailing(models.TextChoices):
        WAITING = "waiting", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="invitations"
    )
    role = models.CharField(max_length=20, choices=Membership.Role.choices)
    created_by = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    use_limit = models.PositiveIntegerField()
    used = models.PositiveIntegerField(default=0)
    # Whom the invitation is for; "" for anyone with the link.
    email = models.EmailField(blank=True)
    # "" if the administrator hands on the link: then the address is not confirmed by using it.
    mailing = models.CharField(max_length=10, choices=Mailing.choices, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)

    objects = Invitations.as_manager()

    class Meta(SecretLink.Meta):
        constraints = [
            *SecretLink.Meta.constraints,
            models.CheckConstraint(
                condition=models.Q(role__in=["annotator", "observer", "administrator", "owner"]),
                name="invitation_role_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(use_limit__gte=1, used__lte=models.F("use_limit")),
                name="invitation_is_not_overused",
            ),
            models.CheckConstraint(
                condition=models.Q(email="") | models.Q(use_limit=1),
                name="mailed_invitation_is_for_one",
            ),
            models.CheckConstraint(
                condition=models.Q(mailing="")
                | (models.Q(mailing__in=["waiting", "sent", "failed"]) & ~models.Q(email="")),
                name="invitation_is_mailed_to_an_address",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.project_id}"

    @property
    def confirmed_email(self) -> str:
        """The address that the link was mailed to, which its bearer can read; "" if it was not."""
        return self.email if self.mailing else ""


class Arrival(models.Model):
    """A user who accepted an invitation; they cannot use the same one again."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="arrivals")
    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="arrivals")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["invitation", "user"], name="one_arrival_per_invitation"
            ),
        ]

    def __str__(self) -> str:
        return f"arrival of {self.user_id} by invitation {self.invitation_id}"


class Reminder(Mailed):
    """The last reminder to a member of a project, which an administrator sent or a worker.

    `sent` is null while the email waits; `failed` if the mail server refused it.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="reminders"
    )
    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="reminders")
    requested = models.DateTimeField()
    text = models.TextField()
    sent = models.DateTimeField(null=True, blank=True)
    failed = models.BooleanField(default=False)
    # Its number among the automatic reminders since the member was last active, from 1; 0 if an
    # administrator sent it.
    automatic = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_reminder_per_member"),
            models.CheckConstraint(
                condition=models.Q(sent__isnull=True) | models.Q(failed=False),
                name="a_failed_reminder_was_not_sent",
            ),
        ]

    def __str__(self) -> str:
        return f"reminder of {self.user_id} in project {self.project_id}"


class Questionnaire(models.Model):
    """One version of what a project asks annotators before they judge; all versions are kept.

    `consent` is Markdown. A version without consent and questions turns the questionnaire off.
    """

    project = models.ForeignKey(
        "annotation.Project", on_delete=models.CASCADE, related_name="questionnaires"
    )
    # 1, 2, 3 …; the highest is current.
    version = models.PositiveIntegerField()
    # The earliest version whose answers need not be given again.
    valid_from = models.PositiveIntegerField()
    consent = models.TextField(blank=True)
    created = models.DateTimeField()
    author = models.ForeignKey(
        "annotation.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "version"], name="questionnaire_version_is_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(valid_from__gte=1, valid_from__lte=models.F("version")),
                name="questionnaire_is_valid_from_a_version",
            ),
        ]

    def __str__(self) -> str:
        return f"questionnaire {self.version} of project {self.project_id}"


class Question(models.Model):
    """A question of one version of a questionnaire; `options` has one choice a line."""

    class Kind(models.TextChoices):
        TEXT = "text", _("short text")
        CHOICE = "choice", _("one of a list")
        YES_NO = "yes-no", _("yes or no")
        NUMBER = "number", _("number")

    questionnaire = models.ForeignKey(
        Questionnaire, on_delete=models.CASCADE, related_name="questions"
    )
    # From 1.
    position = models.PositiveSmallIntegerField()
    text = models.CharField(_("question"), max_length=300)
    kind = models.CharField(_("answer"), max_length=10, choices=Kind.choices)
    options = models.TextField(_("choices"), blank=True)
    required = models.BooleanField(_("required"), default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["questionnaire", "position"], name="question_position_is_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["text", "choice", "yes-no", "number"]),
                name="question_kind_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(models.Q(kind="choice"), ~models.Q(options=""))
                | models.Q(~models.Q(kind="choice"), options=""),
                name="only_a_choice_has_options",
            ),
            models.CheckConstraint(condition=~models.Q(text=""), name="question_asks_something"),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def choices(self) -> list[str]:
        return self.options.split("\n") if self.options else []


class Response(models.Model):
    """A person's consent and answers to one version of a questionnaire."""

    questionnaire = models.ForeignKey(
        Questionnaire, on_delete=models.CASCADE, related_name="responses"
    )
    user = models.ForeignKey(
        "annotation.User", on_delete=models.CASCADE, related_name="questionnaire_responses"
    )
    created = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["questionnaire", "user"], name="one_response_per_questionnaire"
            ),
        ]

    def __str__(self) -> str:
        return f"response {self.pk} of {self.user_id}"


class Answer(models.Model):
    """The answer to one question, in the column of its kind; a question left out has none."""

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="answers")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    # Of a short text, or the choice.
    text = models.CharField(max_length=1000, null=True, blank=True)
    yes = models.BooleanField(null=True, blank=True)
    number = models.FloatField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["response", "question"], name="one_answer_per_question"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    text__isnull=False, text__gt="", yes__isnull=True, number__isnull=True
                )
                | models.Q(text__isnull=True, yes__isnull=False, number__isnull=True)
                | models.Q(text__isnull=True, yes__isnull=True, number__isnull=False),
                name="answer_has_one_value",
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"

    @property
    def value(self) -> str | bool | float:
        """The value of the column that is filled."""
        if self.text is not None:
            return self.text
        return self.yes if self.yes is not None else self.number or 0.0


class NewAddresses(WithTokens["NewAddress"]):
    def open(self) -> Self:
        """Return those whose account still has the address that is to be replaced."""
        return super().open().filter(instead_of=models.F("user__email"))


class NewAddress(WithToken):
    """An email address that a user has asked for and not confirmed: deleted when it is."""

    user = models.OneToOneField(
        "annotation.User", on_delete=models.CASCADE, related_name="new_address"
    )
    email = models.EmailField()
    # The address of the account at the time of the request, "" for none.
    instead_of = models.EmailField(blank=True)

    objects = NewAddresses.as_manager()

    class Meta(WithToken.Meta):
        constraints = [
            *WithToken.Meta.constraints,
            models.CheckConstraint(condition=~models.Q(email=""), name="new_address_is_an_address"),
        ]

    def __str__(self) -> str:
        return f"new address of {self.user_id}"


class SignedIn(models.Model):
    """A session of a user.

    `seen` is when a page was last loaded, to within `sessions.SEEN_EVERY`.
    """

    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="signed_in")
    session = models.OneToOneField(
        "sessions.Session", on_delete=models.CASCADE, related_name="signed_in"
    )
    browser = models.CharField(max_length=40, blank=True)
    system = models.CharField(max_length=40, blank=True)
    since = models.DateTimeField(default=clock.now)
    seen = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"sign-in {self.pk} of {self.user_id}"
