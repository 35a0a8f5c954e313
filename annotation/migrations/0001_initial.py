import annotation.models.uploads
import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                (
                    "first_name",
                    models.CharField(blank=True, max_length=150, verbose_name="first name"),
                ),
                (
                    "last_name",
                    models.CharField(blank=True, max_length=150, verbose_name="last name"),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "display_name",
                    models.CharField(blank=True, max_length=150, verbose_name="display name"),
                ),
                ("unidentified", models.BooleanField(default=False, verbose_name="unidentified")),
                (
                    "wants_reminders",
                    models.BooleanField(default=True, verbose_name="wants reminders"),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="SignInLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires", models.DateTimeField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("token_hash", ""), _negated=True),
                        name="signinlink_has_a_token",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200, verbose_name="name")),
                (
                    "kind",
                    models.CharField(
                        default="segment_ranking",
                        editable=False,
                        max_length=40,
                        verbose_name="kind of judgement",
                    ),
                ),
                (
                    "scale_labels",
                    models.TextField(blank=True, editable=False, verbose_name="steps of the scale"),
                ),
                ("description", models.TextField(blank=True, verbose_name="description")),
                (
                    "source_language",
                    models.CharField(max_length=35, verbose_name="source language"),
                ),
                (
                    "target_language",
                    models.CharField(max_length=35, verbose_name="target language"),
                ),
                (
                    "judges_per_sentence",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="judges per sentence",
                    ),
                ),
                (
                    "queue_order",
                    models.CharField(
                        choices=[
                            ("random", "random"),
                            ("document", "as in the document"),
                            ("blocks", "in blocks of the document"),
                        ],
                        default="random",
                        max_length=10,
                        verbose_name="order of sentences",
                    ),
                ),
                (
                    "block_size",
                    models.PositiveSmallIntegerField(
                        default=10,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000),
                        ],
                        verbose_name="sentences per block",
                    ),
                ),
                (
                    "lease_minutes",
                    models.PositiveIntegerField(
                        default=240,
                        validators=[
                            django.core.validators.MinValueValidator(5),
                            django.core.validators.MaxValueValidator(86400),
                        ],
                        verbose_name="assignment timeout (minutes)",
                    ),
                ),
                (
                    "shown_references",
                    models.CharField(
                        choices=[
                            ("none", "no reference"),
                            ("first", "the first reference"),
                            ("all", "all references"),
                        ],
                        default="first",
                        max_length=5,
                        verbose_name="references shown",
                    ),
                ),
                (
                    "show_neighbours",
                    models.BooleanField(
                        default=False, verbose_name="show the sentences before and after"
                    ),
                ),
                (
                    "show_whole_translations",
                    models.BooleanField(default=False, verbose_name="show whole translations"),
                ),
                (
                    "intra_rate",
                    models.FloatField(
                        default=0.05,
                        validators=[
                            django.core.validators.MinValueValidator(0.0),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="self-agreement repeats (share)",
                    ),
                ),
                (
                    "inter_rate",
                    models.FloatField(
                        default=0.05,
                        validators=[
                            django.core.validators.MinValueValidator(0.0),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="inter-annotator repeats (share)",
                    ),
                ),
                (
                    "control_rate",
                    models.FloatField(
                        default=0.0,
                        validators=[
                            django.core.validators.MinValueValidator(0.0),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="share of control sentences",
                    ),
                ),
                (
                    "practice_required",
                    models.BooleanField(default=False, verbose_name="practice is required"),
                ),
                (
                    "practice_share",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="right answers needed in practice (%)",
                    ),
                ),
                (
                    "practice_tries",
                    models.PositiveSmallIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(20),
                        ],
                        verbose_name="tries at practice",
                    ),
                ),
                (
                    "min_length",
                    models.PositiveSmallIntegerField(default=3, verbose_name="shortest segment"),
                ),
                (
                    "max_length",
                    models.PositiveSmallIntegerField(default=6, verbose_name="longest segment"),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("preparing", "being prepared"),
                            ("open", "open"),
                            ("closed", "closed"),
                            ("failed", "preparation failed"),
                            ("archived", "archived"),
                        ],
                        default="preparing",
                        max_length=20,
                        verbose_name="state",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "provenance",
                    models.JSONField(blank=True, default=dict, verbose_name="provenance"),
                ),
                ("asked_version", models.PositiveIntegerField(default=0, editable=False)),
                ("counts_changed", models.DateTimeField(editable=False, null=True)),
                ("delete_after", models.DateTimeField(editable=False, null=True)),
            ],
            options={
                "verbose_name": "project",
                "verbose_name_plural": "projects",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("delete_after__isnull", True)),
                        fields=("name",),
                        name="project_name_is_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind", ""), _negated=True),
                        name="project_has_a_kind_of_judgement",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("scale_labels", ""),
                            models.Q(
                                django.db.models.lookups.GreaterThanOrEqual(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.text.Length("scale_labels"),
                                        "-",
                                        django.db.models.functions.text.Length(
                                            django.db.models.functions.text.Replace(
                                                "scale_labels", models.Value("\n")
                                            )
                                        ),
                                    ),
                                    1,
                                ),
                                django.db.models.lookups.LessThanOrEqual(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.text.Length("scale_labels"),
                                        "-",
                                        django.db.models.functions.text.Length(
                                            django.db.models.functions.text.Replace(
                                                "scale_labels", models.Value("\n")
                                            )
                                        ),
                                    ),
                                    10,
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="a_scale_of_a_project_has_2_to_11_steps",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("intra_rate__gte", 0), ("intra_rate__lte", 1)),
                        name="intra_rate_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("inter_rate__gte", 0), ("inter_rate__lte", 1)),
                        name="inter_rate_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("control_rate__gte", 0), ("control_rate__lte", 1)),
                        name="control_rate_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("practice_share__isnull", True),
                            models.Q(("practice_share__gte", 1), ("practice_share__lte", 100)),
                            _connector="OR",
                        ),
                        name="practice_share_is_a_percentage",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice_tries__gte", 1)), name="practice_has_a_try"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("max_length__gte", models.F("min_length")), ("min_length__gte", 1)
                        ),
                        name="segment_lengths_are_ordered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("block_size__gte", 1),
                            ("judges_per_sentence__gte", 1),
                            ("lease_minutes__gte", 1),
                        ),
                        name="queue_settings_are_positive",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("queue_order__in", ["random", "document", "blocks"])),
                        name="queue_order_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("shown_references__in", ["none", "first", "all"])),
                        name="shown_references_are_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="annotation.project",
                        verbose_name="project",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("annotator", "annotator"),
                            ("observer", "observer"),
                            ("administrator", "administrator"),
                            ("owner", "owner"),
                        ],
                        max_length=20,
                        verbose_name="role",
                    ),
                ),
                (
                    "sentence_limit",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000000),
                        ],
                        verbose_name="sentence limit",
                    ),
                ),
                ("answered_version", models.PositiveIntegerField(default=0, editable=False)),
                ("paused", models.BooleanField(default=False, verbose_name="paused")),
                ("added_by_name", models.BooleanField(default=False, verbose_name="added by name")),
            ],
            options={
                "verbose_name": "membership",
                "verbose_name_plural": "memberships",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "project"), name="one_membership_per_project"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("role__in", ["annotator", "observer", "administrator", "owner"])
                        ),
                        name="membership_role_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("sentence_limit__isnull", True),
                            ("sentence_limit__gte", 1),
                            _connector="OR",
                        ),
                        name="sentence_limit_is_positive",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AlignmentPriors",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alignment_priors",
                        to="annotation.project",
                    ),
                ),
                ("aligner", models.CharField(max_length=100)),
                ("version", models.CharField(max_length=100)),
                ("data", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="ParallelPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parallel_pages",
                        to="annotation.project",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("sources", models.BinaryField()),
                ("targets", models.BinaryField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "number"), name="parallel_page_is_unique_in_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AssessmentBatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assessment_batches",
                        to="annotation.project",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "number"), name="batch_number_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="batch_number_starts_at_one"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="turns",
                        to="annotation.assessmentbatch",
                    ),
                ),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batch_turns",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("slot", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("finished", "finished"),
                            ("released", "released"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("created", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["open", "finished"])),
                        fields=("batch", "annotator"),
                        name="an_annotator_has_a_batch_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["open", "finished"])),
                        fields=("batch", "slot"),
                        name="one_turn_per_slot_of_a_batch",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("slot__gte", 1)), name="batch_slot_starts_at_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "finished", "released"])),
                        name="batch_turn_state_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="job",
                        to="annotation.project",
                    ),
                ),
                (
                    "task",
                    models.CharField(
                        choices=[
                            ("prepare", "preparing the texts"),
                            ("import_segments", "Importing the segments"),
                            ("copy", "Copying the texts"),
                            ("collect_edits", "Collecting the edits"),
                            ("add_system", "adding a system"),
                        ],
                        default="prepare",
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("options", models.JSONField(default=dict)),
                ("stage", models.CharField(blank=True, max_length=40)),
                ("done", models.PositiveBigIntegerField(default=0)),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("error", models.TextField(blank=True)),
                ("reason", models.JSONField(blank=True, default=dict)),
                ("stages", models.JSONField(default=list)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "task__in",
                                [
                                    "prepare",
                                    "import_segments",
                                    "copy",
                                    "collect_edits",
                                    "add_system",
                                ],
                            )
                        ),
                        name="task_of_a_job_is_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("worker", models.CharField(blank=True, max_length=255)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="annotation.job",
                    ),
                ),
                ("stage", models.CharField(max_length=40)),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(default=dict)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "running", "done", "failed"])),
                        name="state_of_chunk_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("started__isnull", False),
                                ("state", "running"),
                                ("lease_until__isnull", False),
                                models.Q(("worker", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "running"), _negated=True),
                                ("lease_until__isnull", True),
                                ("worker", ""),
                            ),
                            _connector="OR",
                        ),
                        name="running_chunk_has_a_lease",
                    ),
                    models.UniqueConstraint(
                        fields=("job", "stage", "first"), name="chunk_is_unique_in_stage"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first__lte", models.F("last"))),
                        name="chunk_has_sentences",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Instructions",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="instructions",
                        to="annotation.project",
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("text", models.TextField(blank=True)),
                ("created", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "version"), name="instructions_version_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)),
                        name="instructions_version_starts_at_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="annotation.project",
                    ),
                ),
                ("name", models.CharField(max_length=200)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="system_name_is_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SummarisedProject",
            fields=[
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summarised",
                        serialize=False,
                        to="annotation.project",
                    ),
                ),
                ("submission", models.BigIntegerField(default=0)),
                ("skip", models.BigIntegerField(default=0)),
                ("counts_changed", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Sentence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sentences",
                        to="annotation.project",
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("judge", "to be judged"),
                            ("practice", "for practice"),
                            ("control", "for control"),
                        ],
                        default="judge",
                        max_length=10,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("source_line", models.PositiveIntegerField(blank=True, null=True)),
                ("document", models.CharField(blank=True, max_length=200)),
                (
                    "copy_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="copies",
                        to="annotation.sentence",
                    ),
                ),
                ("retired", models.BooleanField(default=False)),
                ("excluded", models.BooleanField(default=False)),
                ("candidate_version", models.PositiveSmallIntegerField(default=1)),
                ("text", models.TextField()),
                ("tokens", models.TextField(blank=True)),
                ("tree", models.TextField(blank=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("document__gt", "")),
                        fields=["project"],
                        name="sentences_with_a_document",
                    ),
                    models.Index(
                        condition=models.Q(("source_line__isnull", False)),
                        fields=["project", "source_line"],
                        name="further_translations",
                    ),
                    models.Index(
                        condition=models.Q(("excluded", True)),
                        fields=["project"],
                        name="excluded_sentences",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "purpose", "number"), name="sentence_number_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="sentence_number_is_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("source_line__isnull", True),
                            models.Q(
                                ("purpose", "judge"),
                                ("source_line__gte", 1),
                                ("source_line__lt", models.F("number")),
                            ),
                            _connector="OR",
                        ),
                        name="further_translations_follow_their_line",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("candidate_version__gte", 1)),
                        name="sentence_candidate_version_starts_at_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("copy_of__isnull", True), ("purpose", "judge"), ("retired", False)
                            ),
                            models.Q(
                                ("copy_of__isnull", False), ("purpose__in", ["practice", "control"])
                            ),
                            _connector="OR",
                        ),
                        name="sentences_for_practice_and_control_are_copies",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("purpose", "judge"), ("excluded", False), _connector="OR"
                        ),
                        name="only_sentences_to_judge_are_excluded",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("purpose", "judge"), ("document", ""), _connector="OR"),
                        name="copies_of_sentences_have_no_document",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BatchItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="items",
                        to="annotation.assessmentbatch",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("output", "output"),
                            ("repeat", "repeat"),
                            ("reference", "reference"),
                            ("degraded", "degraded output"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="batch_items",
                        to="annotation.sentence",
                    ),
                ),
                (
                    "original",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="control_items",
                        to="annotation.batchitem",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("batch", "position"), name="batch_position_is_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)),
                        name="batch_position_starts_at_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("original__isnull", True), ("role", "output")),
                            models.Q(
                                ("original__isnull", False),
                                ("role__in", ["repeat", "reference", "degraded"]),
                            ),
                            _connector="OR",
                        ),
                        name="control_items_of_a_batch_have_an_original",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.project",
                    ),
                ),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="assignments",
                        to="annotation.sentence",
                    ),
                ),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("first", "first"),
                            ("intra", "intra"),
                            ("inter", "inter"),
                            ("practice", "practice"),
                            ("control", "control"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("submitted", "submitted"),
                            ("returned", "returned"),
                            ("skipped", "skipped"),
                            ("discarded", "discarded"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("discarded_with_annotator", models.BooleanField(default=False)),
                ("discarded_with_sentence", models.BooleanField(default=False)),
                ("slot", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("candidate_version", models.PositiveSmallIntegerField(default=1)),
                ("decision", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("created", models.DateTimeField()),
                ("shown", models.DateTimeField(blank=True, null=True)),
                ("submitted", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "instructions",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="annotation.instructions",
                    ),
                ),
                ("draft_version", models.PositiveIntegerField(default=0)),
                ("draft_choices", models.JSONField(blank=True, default=dict)),
                ("draft_comments", models.JSONField(blank=True, default=dict)),
                ("draft_details", models.JSONField(blank=True, default=dict)),
                ("draft_active_seconds", models.FloatField(default=0.0)),
                ("draft_saved", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["project", "annotator", "state", "kind", "submitted"],
                        name="assignments_by_annotator",
                    ),
                    models.Index(
                        condition=models.Q(("kind", "first"), ("state", "submitted")),
                        fields=["project", "slot"],
                        name="submitted_by_slot",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("annotator", "project"),
                        name="one_open_assignment_per_annotator_and_project",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("kind__in", ["practice", "control"]),
                            models.Q(("state", "returned"), _negated=True),
                            models.Q(("kind", "practice"), ("state", "discarded"), _negated=True),
                        ),
                        fields=("sentence", "annotator"),
                        name="an_annotator_has_a_practice_or_control_sentence_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "first"), ("state__in", ["open", "submitted"])),
                        fields=("sentence", "slot", "candidate_version"),
                        name="one_assignment_per_slot_of_a_sentence",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "first"), ("state__in", ["open", "submitted"])),
                        fields=("sentence", "annotator", "candidate_version"),
                        name="an_annotator_is_one_judge_of_a_sentence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "first"), ("slot__gte", 1)),
                            models.Q(
                                ("kind__in", ["intra", "inter", "practice", "control"]),
                                ("slot__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="first_assignments_have_a_slot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("candidate_version__gte", 1)),
                        name="assignment_candidate_version_starts_at_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("decision__isnull", True),
                            models.Q(
                                ("decision__gte", 1), ("kind__in", ["first", "intra", "inter"])
                            ),
                            _connector="OR",
                        ),
                        name="only_counted_assignments_are_narrowed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("state__in", ["submitted", "discarded"]),
                                ("submitted__isnull", False),
                            ),
                            models.Q(
                                ("state__in", ["open", "returned", "skipped"]),
                                ("submitted__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="submitted_assignments_have_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "open"), _negated=True),
                            ("lease_until__isnull", False),
                            _connector="OR",
                        ),
                        name="open_assignments_have_a_lease",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("draft_saved__isnull", True), ("draft_version", 0)),
                            models.Q(("draft_saved__isnull", False), ("draft_version__gt", 0)),
                            _connector="OR",
                        ),
                        name="saved_drafts_have_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["submitted", "discarded"]), _negated=True),
                            ("draft_version", 0),
                            _connector="OR",
                        ),
                        name="submitted_assignments_have_no_draft",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("discarded_with_annotator", True), ("kind", "practice"), _negated=True
                        ),
                        name="practice_is_not_discarded_with_its_annotator",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                models.Q(
                                    ("discarded_with_annotator", True),
                                    ("discarded_with_sentence", True),
                                    _connector="OR",
                                ),
                                ("state", "discarded"),
                            ),
                            models.Q(
                                models.Q(("state", "discarded"), _negated=True),
                                ("discarded_with_annotator", False),
                                ("discarded_with_sentence", False),
                            ),
                            _connector="OR",
                        ),
                        name="an_assignment_is_discarded_with_annotator_or_sentence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("draft_active_seconds__gte", 0)),
                        name="draft_time_is_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reservation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="reservations",
                        to="annotation.sentence",
                    ),
                ),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reservations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sentence", "annotator"), name="a_sentence_is_reserved_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Skip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="skip",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("unclear", "I do not understand the sentence"),
                            ("wrong-segment", "the segments make no sense"),
                            ("offensive", "the text is offensive"),
                            ("technical", "something does not work"),
                            ("other", "another reason"),
                        ],
                        max_length=20,
                    ),
                ),
                ("comment", models.TextField(blank=True, max_length=2000)),
                ("created", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "reason__in",
                                ["unclear", "wrong-segment", "offensive", "technical", "other"],
                            )
                        ),
                        name="skip_reason_is_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="submissions",
                        to="annotation.assignment",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(default=1)),
                ("current", models.BooleanField(default=True)),
                ("token", models.UUIDField(blank=True, null=True, unique=True)),
                ("created", models.DateTimeField()),
                ("active_seconds", models.FloatField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assignment", "number"), name="submission_number_is_unique"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("current", True)),
                        fields=("assignment",),
                        name="one_current_submission_per_assignment",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)),
                        name="submission_number_starts_at_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("active_seconds__isnull", True),
                            ("active_seconds__gte", 0),
                            _connector="OR",
                        ),
                        name="active_seconds_are_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SentenceSummary",
            fields=[
                (
                    "sentence",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="summary",
                        serialize=False,
                        to="annotation.sentence",
                    ),
                ),
                ("submission", models.BigIntegerField(default=0)),
                ("judges", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("candidate_version", models.PositiveSmallIntegerField(default=1)),
                ("skips", models.PositiveIntegerField(default=0)),
                ("last_judged", models.DateTimeField(null=True)),
                ("agree", models.PositiveIntegerField(default=0)),
                ("compared", models.PositiveIntegerField(default=0)),
                ("agreement", models.FloatField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("agree__lte", models.F("compared"))),
                        name="sentence_summary_agrees_on_what_is_compared",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("agreement__isnull", True), ("compared", 0)),
                            models.Q(
                                ("agreement__gte", 0), ("agreement__lte", 1), ("compared__gt", 0)
                            ),
                            _connector="OR",
                        ),
                        name="sentence_summary_agreement_is_a_share",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Translation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="translations",
                        to="annotation.sentence",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="translations",
                        to="annotation.system",
                    ),
                ),
                ("reference", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("text", models.TextField()),
                ("tokens", models.TextField(blank=True)),
                ("alignment", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sentence", "system"), name="one_translation_per_system"
                    ),
                    models.UniqueConstraint(
                        fields=("sentence", "reference"), name="one_translation_per_reference"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reference__isnull", True), ("system__isnull", False)),
                            models.Q(
                                ("reference__gte", 1),
                                ("reference__isnull", False),
                                ("system__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="translation_has_a_system_or_is_a_numbered_reference",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Segment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sentence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="segments",
                        to="annotation.sentence",
                    ),
                ),
                ("token_indices", models.TextField()),
                ("candidate_version", models.PositiveSmallIntegerField(default=1)),
                ("sampled", models.BooleanField(default=True)),
                ("excluded", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("excluded", True)),
                        fields=["sentence"],
                        name="excluded_segments",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("candidate_version__gte", 1)),
                        name="segment_candidate_version_starts_at_one",
                    ),
                    models.UniqueConstraint(
                        models.F("sentence"),
                        django.db.models.functions.text.MD5("token_indices"),
                        name="segment_is_unique_in_sentence",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="judgements",
                        to="annotation.submission",
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="judgements",
                        to="annotation.segment",
                    ),
                ),
                ("created", models.DateTimeField()),
                ("seconds", models.FloatField(blank=True, null=True)),
                ("comment", models.TextField(blank=True, default="", max_length=1000)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("submission", "segment"), name="one_judgement_per_segment"
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("comment"), 1000
                        ),
                        name="comment_is_short",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seconds__gte", 0)), name="seconds_are_not_negative"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Answer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "segment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="answer",
                        to="annotation.segment",
                    ),
                ),
                ("explanation", models.TextField(blank=True, max_length=2000)),
            ],
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="candidates",
                        to="annotation.segment",
                    ),
                ),
                ("text", models.TextField()),
                ("is_duplicate", models.BooleanField(default=False)),
                ("excluded", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("excluded", True)),
                        fields=["segment"],
                        name="excluded_candidates",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("segment"),
                        django.db.models.functions.text.MD5("text"),
                        models.F("is_duplicate"),
                        name="candidate_is_unique_in_segment",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True),
                        name="candidate_is_not_empty",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShownCandidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="shown_candidates",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="showings",
                        to="annotation.candidate",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assignment", "candidate"), name="candidate_is_shown_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)),
                        name="shown_position_starts_at_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Placement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "judgement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="placements",
                        to="annotation.judgement",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="placements",
                        to="annotation.candidate",
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("ranks_offered", models.PositiveSmallIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("judgement", "candidate"), name="one_placement_per_candidate"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("rank__isnull", True),
                            models.Q(("rank__gte", 1), ("rank__lte", models.F("ranks_offered"))),
                            _connector="OR",
                        ),
                        name="rank_is_between_one_and_n",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ErrorSpan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "placement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="error_spans",
                        to="annotation.placement",
                    ),
                ),
                ("start", models.PositiveIntegerField(blank=True, null=True)),
                ("end", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "severity",
                    models.CharField(
                        choices=[("minor", "minor"), ("major", "major")], max_length=5
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("start__isnull", False)),
                        fields=("placement", "start"),
                        name="one_error_span_at_a_place",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("start__isnull", True)),
                        fields=("placement",),
                        name="one_omission_of_a_candidate",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end__isnull", True), ("start__isnull", True)),
                            models.Q(
                                ("end__gt", models.F("start")),
                                ("end__isnull", False),
                                ("start__gte", 0),
                                ("start__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="error_span_has_characters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("severity__in", ["minor", "major"])),
                        name="severity_of_error_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Edit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "placement",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="edit",
                        to="annotation.placement",
                    ),
                ),
                ("text", models.TextField(max_length=20000)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="edit_is_not_empty"
                    ),
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("text"), 20000
                        ),
                        name="edit_is_short",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ExpectedPlacement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="placements",
                        to="annotation.answer",
                    ),
                ),
                (
                    "candidate",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="expected_placement",
                        to="annotation.candidate",
                    ),
                ),
                ("rank", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("ranks_offered", models.PositiveSmallIntegerField()),
                ("detail", models.TextField(blank=True, default="", max_length=20000)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=django.db.models.lookups.LessThanOrEqual(
                            django.db.models.functions.text.Length("detail"), 20000
                        ),
                        name="expected_detail_is_not_too_long",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("rank__isnull", True),
                            models.Q(("rank__gte", 1), ("rank__lte", models.F("ranks_offered"))),
                            _connector="OR",
                        ),
                        name="expected_rank_is_between_one_and_n",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Control",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "segment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="control",
                        to="annotation.segment",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("degraded", "one candidate made worse"),
                            ("duplicate", "one candidate shown twice"),
                            ("reference", "the reference in place of a candidate"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "original",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="annotation.candidate",
                    ),
                ),
                (
                    "changed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="annotation.candidate",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["degraded", "duplicate", "reference"])),
                        name="control_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("original", models.F("changed")), _negated=True),
                        name="control_compares_two_candidates",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Projection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "segment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="projections",
                        to="annotation.segment",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="projections",
                        to="annotation.system",
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="projections",
                        to="annotation.candidate",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("segment", "system", "candidate"),
                        name="a_system_produces_a_candidate_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("candidate__isnull", True)),
                        fields=("segment", "system"),
                        name="a_system_lacks_a_candidate_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=annotation.models.uploads.new_token, max_length=40, unique=True
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("settings", models.JSONField(default=dict)),
                ("is_temporary", models.BooleanField(default=False)),
                (
                    "project",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="upload",
                        to="annotation.project",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="UploadedFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "upload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="annotation.upload",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("source", "source"),
                            ("reference", "reference"),
                            ("system", "a system’s translation"),
                            ("trees", "trees of the source"),
                            ("links", "a system’s word links"),
                            ("documents", "documents of the sentences"),
                            ("segments", "segments and candidates (six columns)"),
                            ("systems", "which system made which candidate"),
                            ("given", "segments (three columns)"),
                            ("unused", "leave it out"),
                        ],
                        max_length=10,
                    ),
                ),
                ("system", models.CharField(blank=True, max_length=200)),
                ("name", models.CharField(max_length=200)),
                ("stored", models.CharField(max_length=40)),
                ("table", models.CharField(blank=True, max_length=200)),
                ("read_as", models.CharField(blank=True, max_length=40)),
                ("kind", models.CharField(max_length=10)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("target_language", models.CharField(blank=True, max_length=10)),
                ("size", models.PositiveBigIntegerField()),
                ("lines", models.PositiveBigIntegerField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("upload", "name"), name="file_name_is_unique_in_upload"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredPreview",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("worker", models.CharField(blank=True, max_length=255)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "upload",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="preview",
                        to="annotation.upload",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("key", models.CharField(max_length=32)),
                ("requested", models.DateTimeField(auto_now_add=True)),
                ("slot", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("data", models.JSONField(blank=True, null=True)),
                ("error", models.JSONField(blank=True, default=dict)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "running", "done", "failed"])),
                        name="state_of_storedpreview_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("started__isnull", False),
                                ("state", "running"),
                                ("lease_until__isnull", False),
                                models.Q(("worker", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "running"), _negated=True),
                                ("lease_until__isnull", True),
                                ("worker", ""),
                            ),
                            _connector="OR",
                        ),
                        name="running_storedpreview_has_a_lease",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=("owner",),
                        name="one_unfinished_preview_per_person",
                    ),
                    models.UniqueConstraint(fields=("slot",), name="previews_have_their_own_slot"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("slot__isnull", True),
                            models.Q(("slot__gte", 1), ("slot__lte", 2)),
                            _connector="OR",
                        ),
                        name="slot_of_a_preview_is_1_or_2",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("slot__isnull", False), ("state", "running")),
                            models.Q(
                                models.Q(("state", "running"), _negated=True),
                                ("slot__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="running_previews_have_a_slot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("data__isnull", False), ("state", "done")),
                            models.Q(
                                models.Q(("state", "done"), _negated=True), ("data__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="previews_that_are_made_have_data",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="user",
            name="imported_with",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="imported_accounts",
                to="annotation.project",
                verbose_name="imported with",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="created_for",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="created_accounts",
                to="annotation.project",
                verbose_name="created for",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                condition=models.Q(("imported_with__isnull", False)),
                fields=("imported_with", "display_name"),
                name="one_imported_account_per_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("imported_with__isnull", True), ("is_active", False), _connector="OR"
                ),
                name="imported_accounts_are_inactive",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Upper("email"),
                condition=models.Q(("email", ""), _negated=True),
                name="one_account_per_mail_address",
                violation_error_message="Another account already has this email address.",
            ),
        ),
    ]
