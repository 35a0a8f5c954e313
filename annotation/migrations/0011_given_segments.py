from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0010_chunks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='uploadedfile',
            name='role',
            field=models.CharField(choices=[('source', 'source'), ('reference', 'reference'), ('system', 'a system’s translation'), ('trees', 'trees of the source'), ('links', 'a system’s word links'), ('segments', 'segments and candidates (six columns)'), ('systems', 'which system made which candidate'), ('given', 'segments (three columns)'), ('unused', 'leave it out')], max_length=10),
        ),
    ]
