"""Let the index of copies have copies only: most sentences are copies of none."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_error_spans")]

    operations = [
        migrations.AlterField(
            "sentence",
            "copy_of",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="copies",
                to="annotation.sentence",
            ),
        ),
        migrations.AddIndex(
            "sentence",
            models.Index(
                condition=models.Q(("copy_of__isnull", False)),
                fields=["copy_of"],
                name="copies_of_sentences",
            ),
        ),
    ]
