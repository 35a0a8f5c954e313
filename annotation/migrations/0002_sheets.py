"""Let a sheet have several rows of sentences: all rows so far are heads of their own sheets."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]

    operations = [
        migrations.AddField(
            "sentence",
            "sheet",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="further_rows",
                to="annotation.sentence",
            ),
        ),
        migrations.AddIndex(
            "sentence",
            models.Index(
                condition=models.Q(("sheet__isnull", False)),
                fields=["sheet"],
                name="further_rows_of_sheets",
            ),
        ),
        migrations.AddConstraint(
            "sentence",
            models.CheckConstraint(
                condition=models.Q(("sheet", models.F("pk")), _negated=True),
                name="heads_of_sheets_have_no_head",
            ),
        ),
    ]
