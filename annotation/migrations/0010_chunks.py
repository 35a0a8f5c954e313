import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone


def begin_again(apps, schema_editor):
    """What was being done goes back to the queue: it was not cut into chunks."""
    jobs = apps.get_model("annotation", "Job").objects.filter(state="running")
    jobs.update(state="queued", owner="", lease_until=None)


def forget_running(apps, schema_editor):
    """On the way back: a running job has a lease there, and is begun again when it is over."""
    now = timezone.now()
    jobs = apps.get_model("annotation", "Job").objects.filter(state="running")
    jobs.update(owner="", lease_until=now)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_job_task'),
    ]

    operations = [
        migrations.RunPython(begin_again, forget_running),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.CharField(max_length=40)),
                ('first', models.PositiveIntegerField()),
                ('last', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done')], default='waiting', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('owner', models.CharField(blank=True, max_length=255)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('made', models.JSONField(default=dict)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='job',
            name='running_jobs_have_a_lease',
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('owner', ''), ('lease_until__isnull', False), _connector='OR'), name='jobs_of_one_process_have_a_lease'),
        ),
        migrations.AddField(
            model_name='chunk',
            name='job',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='annotation.job'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.UniqueConstraint(fields=('job', 'stage', 'first'), name='chunk_is_unique_in_stage'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='chunk_has_sentences'),
        ),
        migrations.AddConstraint(
            model_name='chunk',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', False), _connector='OR'), name='running_chunks_have_a_lease'),
        ),
    ]
