import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('started', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, max_length=255)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('kind', models.CharField(choices=[('report', 'Report'), ('metrics', 'Metrics'), ('annotators', 'Annotators')], default='report', max_length=10)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='annotation.project')),
                ('key', models.CharField(max_length=200)),
                ('options', models.JSONField()),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested', models.DateTimeField(default=django.utils.timezone.now)),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_again', models.BooleanField(default=False)),
                ('error', models.TextField(blank=True)),
                ('made', models.DateTimeField(blank=True, null=True)),
                ('signature', models.TextField(blank=True)),
                ('seconds', models.FloatField(blank=True, null=True)),
                ('data', models.JSONField(blank=True, null=True)),
                ('shape', models.CharField(blank=True, max_length=16)),
                ('judgements', models.PositiveIntegerField(default=0)),
                ('last_submission', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'running', 'done', 'failed'])), name='state_of_storedreport_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('started__isnull', False), ('state', 'running'), ('lease_until__isnull', False), models.Q(('worker', ''), _negated=True)), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True), ('worker', '')), _connector='OR'), name='running_storedreport_has_a_lease'), models.UniqueConstraint(fields=('project', 'key'), name='one_report_per_project_and_options'), models.CheckConstraint(condition=models.Q(models.Q(('data__isnull', True), ('made__isnull', True)), models.Q(('data__isnull', False), ('made__isnull', False)), _connector='OR'), name='reports_that_are_made_have_data'), models.CheckConstraint(condition=models.Q(('kind__in', ['report', 'metrics', 'annotators'])), name='kind_of_a_report_is_known')],
            },
        ),
        migrations.CreateModel(
            name='ReportSchedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='report_schedule', to='annotation.project')),
                ('every', models.CharField(choices=[('never', 'off'), ('hour', 'every hour'), ('day', 'every day')], default='never', max_length=10)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('every__in', ['never', 'hour', 'day'])), name='report_schedule_is_known')],
            },
        ),
        migrations.CreateModel(
            name='SharedReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shared_reports', to='annotation.project')),
                ('key', models.CharField(max_length=200)),
                ('options', models.JSONField()),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('expires', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('token_hash', ''), _negated=True), name='sharedreport_has_a_token'), models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='shared_reports_have_a_key'), models.CheckConstraint(condition=models.Q(('expires__isnull', True), ('expires__gt', models.F('created')), _connector='OR'), name='shared_reports_expire_after_they_are_created')],
            },
        ),
        migrations.CreateModel(
            name='QualityRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_rules', to='annotation.project')),
                ('kind', models.CharField(choices=[('seconds', 'too fast'), ('controls', 'fails control sentences'), ('one_rank', 'the same rank for all'), ('kappa', 'disagrees with others'), ('shown_order', 'keeps the order shown'), ('practice', 'fails practice')], max_length=20)),
                ('limit', models.FloatField()),
                ('after', models.PositiveIntegerField()),
                ('action', models.CharField(choices=[('off', 'do nothing'), ('flag', 'flag'), ('pause', 'flag and pause')], default='flag', max_length=10)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'kind'), name='one_quality_rule_per_project_and_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ['seconds', 'controls', 'one_rank', 'kappa', 'shown_order', 'practice'])), name='kind_of_a_quality_rule_is_known'), models.CheckConstraint(condition=models.Q(('action__in', ['off', 'flag', 'pause'])), name='action_of_a_quality_rule_is_known'), models.CheckConstraint(condition=models.Q(('after__gte', 1)), name='quality_rules_need_a_sentence'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'seconds'), ('limit__gte', 0)), models.Q(('kind', 'kappa'), ('limit__gte', -1), ('limit__lte', 1)), models.Q(('kind__in', ['controls', 'one_rank', 'shown_order', 'practice']), ('limit__gte', 0), ('limit__lte', 1)), _connector='OR'), name='limit_of_a_quality_rule_fits_its_kind')],
            },
        ),
        migrations.CreateModel(
            name='QualityFlag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_flags', to='annotation.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quality_flags', to=settings.AUTH_USER_MODEL)),
                ('kind', models.CharField(choices=[('seconds', 'too fast'), ('controls', 'fails control sentences'), ('one_rank', 'the same rank for all'), ('kappa', 'disagrees with others'), ('shown_order', 'keeps the order shown'), ('practice', 'fails practice')], max_length=20)),
                ('value', models.FloatField()),
                ('limit', models.FloatField()),
                ('sentences', models.PositiveIntegerField()),
                ('paused', models.BooleanField(default=False)),
                ('raised', models.DateTimeField()),
                ('dismissed', models.DateTimeField(blank=True, null=True)),
                ('dismissed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'user', 'kind'), name='one_quality_flag_per_person_and_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ['seconds', 'controls', 'one_rank', 'kappa', 'shown_order', 'practice'])), name='kind_of_a_quality_flag_is_known'), models.CheckConstraint(condition=models.Q(('dismissed__isnull', False), ('dismissed_by__isnull', True), _connector='OR'), name='only_dismissed_flags_have_who_dismissed')],
            },
        ),
        migrations.CreateModel(
            name='QualityCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='quality_check', to='annotation.project')),
                ('made', models.DateTimeField()),
                ('seconds', models.FloatField()),
                ('due', models.DateTimeField(blank=True, null=True)),
                ('last_submission', models.BigIntegerField(default=0)),
                ('figures', models.JSONField(default=list)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('seconds__gte', 0)), name='checks_of_quality_take_time')],
            },
        ),
        migrations.CreateModel(
            name='ScoreFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='score_files', to='annotation.project')),
                ('name', models.CharField(max_length=200)),
                ('content', models.BinaryField()),
                ('size', models.PositiveIntegerField()),
                ('metrics', models.JSONField()),
                ('lower_is_better', models.BooleanField(default=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='score_files_of_a_project_have_different_names'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), ('size__gt', 0)), name='score_files_have_a_name_and_are_not_empty')],
            },
        ),
        migrations.CreateModel(
            name='SentenceJudgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentence_judgements', to='annotation.project')),
                ('sentence', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentence_judgements', to='annotation.sentence')),
                ('judge', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('sentence', 'key'), name='sentence_judgement_is_stored_once'), models.CheckConstraint(condition=models.Q(models.Q(('judge', ''), _negated=True), models.Q(('key', ''), _negated=True)), name='sentence_judgements_have_a_judge_and_a_key')],
            },
        ),
        migrations.CreateModel(
            name='SentencePlacement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('judgement', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='evaluation.sentencejudgement')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentence_placements', to='annotation.system')),
                ('rank', models.PositiveSmallIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('judgement', 'system'), name='a_system_is_placed_once_in_a_sentence'), models.CheckConstraint(condition=models.Q(('rank__gte', 1), ('rank__lte', 5)), name='sentence_rank_is_from_1_to_5')],
            },
        ),
    ]
