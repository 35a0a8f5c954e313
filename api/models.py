"""API tokens, and stored answers to requests with an Idempotency-Key."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.process import clock


class Token(models.Model):
    """Lets a program act for a person until it expires or is revoked; only its hash is stored.

    It never allows more than the person's roles allow at that moment.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read")
        WRITE = "write", _("read and administer")

    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(
        _("what it may do"), max_length=10, choices=Scope.choices, default=Scope.READ
    )
    # The only project it may be used for; null for all projects of the person.
    project = models.ForeignKey(
        "annotation.Project", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    created = models.DateTimeField(default=clock.now, editable=False)
    expires = models.DateTimeField()
    # To the hour, so that most requests write nothing.
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["read", "write"]), name="token_scope_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(expires__gt=models.F("created")), name="token_expires_later"
            ),
        ]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"


class StoredAnswer(models.Model):
    """The answer to a POST with an Idempotency-Key, to be given again if the POST is repeated."""

    user = models.ForeignKey("annotation.User", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    # Keyed hash of the address and the content of the request.
    fingerprint = models.CharField(max_length=64)
    # HTTP status; 0 while the request is in progress.
    status = models.PositiveSmallIntegerField(default=0)
    location = models.CharField(max_length=500, blank=True)
    body = models.TextField(blank=True)
    # When the key was reserved.
    created = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key_and_user"),
        ]
        indexes = [models.Index(fields=["created"], name="answers_by_age")]

    def __str__(self) -> str:
        return f"answer {self.pk}"
