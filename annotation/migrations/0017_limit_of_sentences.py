import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0016_one_account_per_mail_address"),
    ]

    operations = [
        migrations.AlterField(
            model_name="membership",
            name="most_sentences",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000000),
                ],
                verbose_name="most sentences",
            ),
        ),
    ]
