import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluation', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='sharedreport', name='sharedreport_has_a_token'),
        migrations.RemoveConstraint(model_name='sharedreport', name='shared_reports_have_a_key'),
        migrations.RemoveConstraint(
            model_name='sharedreport', name='shared_reports_expire_after_they_are_created'
        ),
        migrations.RenameModel(old_name='SharedReport', new_name='SharedLink'),
        migrations.AlterField(
            model_name='sharedlink',
            name='project',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shared_links', to='annotation.project'),
        ),
        migrations.AddField(
            model_name='sharedlink',
            name='pages',
            field=models.CharField(choices=[('report', 'the report'), ('both', 'the report and the documents'), ('documents', 'the documents'), ('unnamed', 'the documents, without the names of systems')], default='report', max_length=10),
        ),
        migrations.AddField(
            model_name='sharedlink',
            name='annotators',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='sharedlink',
            name='systems',
            field=models.JSONField(default=list),
        ),
        migrations.AddConstraint(
            model_name='sharedlink',
            constraint=models.CheckConstraint(condition=models.Q(('token_hash', ''), _negated=True), name='sharedlink_has_a_token'),
        ),
        migrations.AddConstraint(
            model_name='sharedlink',
            constraint=models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='shared_links_have_a_key'),
        ),
        migrations.AddConstraint(
            model_name='sharedlink',
            constraint=models.CheckConstraint(condition=models.Q(('pages__in', ['report', 'both', 'documents', 'unnamed'])), name='shared_pages_are_known'),
        ),
        migrations.AddConstraint(
            model_name='sharedlink',
            constraint=models.CheckConstraint(condition=models.Q(('expires__isnull', True), ('expires__gt', models.F('created')), _connector='OR'), name='shared_links_expire_after_they_are_created'),
        ),
    ]
