from django.db import migrations
from django.db.models import OuterRef, Subquery


def set_created_for(apps, schema_editor):
    """Take accounts of participants for created for the project, also of those who have left it."""
    User = apps.get_model('annotation', 'User')
    Participant = apps.get_model('crowd', 'Participant')
    project = Participant.objects.filter(user=OuterRef('pk')).values('link__project')
    of_participants = User.objects.filter(pk__in=Participant.objects.values('user'))
    of_participants.filter(created_for=None).update(created_for=Subquery(project))


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0002_accounts_created_for_a_project'),
        ('crowd', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(set_created_for, migrations.RunPython.noop, elidable=True),
    ]
