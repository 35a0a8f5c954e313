import django.db.models.deletion
import uuid
import webhooks.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='annotation.project')),
                ('address', models.CharField(max_length=500)),
                ('events', models.JSONField(default=list, validators=[webhooks.models.known_events])),
                ('salt', models.CharField(max_length=64)),
                ('active', models.BooleanField(default=True)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('seen_state', models.CharField(max_length=20)),
                ('seen_share', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'address'), name='one_webhook_per_address_and_project'), models.CheckConstraint(condition=models.Q(models.Q(('address', ''), _negated=True), models.Q(('salt', ''), _negated=True)), name='webhooks_have_an_address_and_a_salt'), models.CheckConstraint(condition=models.Q(('seen_share__in', [0, 10, 50, 100])), name='seen_share_has_an_event')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webhooks.webhook')),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('event', models.CharField(max_length=40)),
                ('body', models.TextField()),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('delivered', 'delivered'), ('given_up', 'given up')], default='waiting', max_length=10)),
                ('attempt_count', models.PositiveIntegerField(default=0)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('due', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due'], name='waiting_deliveries'), models.Index(condition=models.Q(('ended__isnull', False)), fields=['ended'], name='deliveries_by_their_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'delivered', 'given_up'])), name='state_of_a_delivery_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended__isnull', True), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('ended__isnull', False)), _connector='OR'), name='waiting_deliveries_have_no_end')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='webhooks.delivery')),
                ('number', models.PositiveIntegerField()),
                ('started', models.DateTimeField()),
                ('finished', models.DateTimeField(blank=True, null=True)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('error', models.TextField(blank=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('delivery', 'number'), name='one_attempt_per_number')],
            },
        ),
    ]
