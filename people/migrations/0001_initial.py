import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_initial'),
        ('annotation', '__first__'),
        ('sessions', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('expires', models.DateTimeField()),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('language', models.CharField(blank=True, max_length=10)),
                ('claimed', models.DateTimeField(blank=True, null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotation.project')),
                ('role', models.CharField(choices=[('annotator', 'annotator'), ('observer', 'observer'), ('administrator', 'administrator'), ('owner', 'owner')], max_length=20)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('use_limit', models.PositiveIntegerField()),
                ('used', models.PositiveIntegerField(default=0)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('mailing', models.CharField(blank=True, choices=[('waiting', 'being sent'), ('sent', 'sent'), ('failed', 'not sent')], max_length=10)),
                ('note', models.CharField(blank=True, max_length=500, verbose_name='note')),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('token_hash', ''), _negated=True), name='invitation_has_a_token'), models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'observer', 'administrator', 'owner'])), name='invitation_role_is_known'), models.CheckConstraint(condition=models.Q(('use_limit__gte', 1), ('used__lte', models.F('use_limit'))), name='invitation_is_not_overused'), models.CheckConstraint(condition=models.Q(('email', ''), ('use_limit', 1), _connector='OR'), name='mailed_invitation_is_for_one'), models.CheckConstraint(condition=models.Q(('mailing', ''), models.Q(('mailing__in', ['waiting', 'sent', 'failed']), models.Q(('email', ''), _negated=True)), _connector='OR'), name='invitation_is_mailed_to_an_address')],
            },
        ),
        migrations.CreateModel(
            name='Arrival',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invitation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='arrivals', to='people.invitation')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='arrivals', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('invitation', 'user'), name='one_arrival_per_invitation')],
            },
        ),
        migrations.CreateModel(
            name='Reminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(blank=True, max_length=10)),
                ('claimed', models.DateTimeField(blank=True, null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='annotation.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to=settings.AUTH_USER_MODEL)),
                ('requested', models.DateTimeField()),
                ('text', models.TextField()),
                ('sent', models.DateTimeField(blank=True, null=True)),
                ('failed', models.BooleanField(default=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='one_reminder_per_member'), models.CheckConstraint(condition=models.Q(('sent__isnull', True), ('failed', False), _connector='OR'), name='a_failed_reminder_was_not_sent')],
            },
        ),
        migrations.CreateModel(
            name='Questionnaire',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questionnaires', to='annotation.project')),
                ('version', models.PositiveIntegerField()),
                ('valid_from', models.PositiveIntegerField()),
                ('consent', models.TextField(blank=True)),
                ('created', models.DateTimeField()),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'version'), name='questionnaire_version_is_unique'), models.CheckConstraint(condition=models.Q(('valid_from__gte', 1), ('valid_from__lte', models.F('version'))), name='questionnaire_is_valid_from_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('questionnaire', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='people.questionnaire')),
                ('position', models.PositiveSmallIntegerField()),
                ('text', models.CharField(max_length=300, verbose_name='question')),
                ('kind', models.CharField(choices=[('text', 'short text'), ('choice', 'one of a list'), ('yes-no', 'yes or no'), ('number', 'number')], max_length=10, verbose_name='answer')),
                ('options', models.TextField(blank=True, verbose_name='choices')),
                ('required', models.BooleanField(default=True, verbose_name='required')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('questionnaire', 'position'), name='question_position_is_unique'), models.CheckConstraint(condition=models.Q(('kind__in', ['text', 'choice', 'yes-no', 'number'])), name='question_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind', 'choice')), models.Q(('options', ''), _negated=True)), models.Q(models.Q(('kind', 'choice'), _negated=True), ('options', '')), _connector='OR'), name='only_a_choice_has_options'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='question_asks_something')],
            },
        ),
        migrations.CreateModel(
            name='Response',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('questionnaire', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='responses', to='people.questionnaire')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questionnaire_responses', to=settings.AUTH_USER_MODEL)),
                ('created', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('questionnaire', 'user'), name='one_response_per_questionnaire')],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='people.response')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='people.question')),
                ('text', models.CharField(blank=True, max_length=1000, null=True)),
                ('yes', models.BooleanField(blank=True, null=True)),
                ('number', models.FloatField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('response', 'question'), name='one_answer_per_question'), models.CheckConstraint(condition=models.Q(models.Q(('number__isnull', True), ('text__gt', ''), ('text__isnull', False), ('yes__isnull', True)), models.Q(('number__isnull', True), ('text__isnull', True), ('yes__isnull', False)), models.Q(('number__isnull', False), ('text__isnull', True), ('yes__isnull', True)), _connector='OR'), name='answer_has_one_value')],
            },
        ),
        migrations.CreateModel(
            name='NewAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('expires', models.DateTimeField()),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='new_address', to=settings.AUTH_USER_MODEL)),
                ('email', models.EmailField(max_length=254)),
                ('instead_of', models.EmailField(blank=True, max_length=254)),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('token_hash', ''), _negated=True), name='newaddress_has_a_token'), models.CheckConstraint(condition=models.Q(('email', ''), _negated=True), name='new_address_is_an_address')],
            },
        ),
        migrations.CreateModel(
            name='SignedIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signed_in', to=settings.AUTH_USER_MODEL)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='signed_in', to='sessions.session')),
                ('browser', models.CharField(blank=True, max_length=40)),
                ('system', models.CharField(blank=True, max_length=40)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
