import crowd.models
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_initial'),
        ('annotation', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='MembersPay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pay_per_hour', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(0)], verbose_name='pay per hour')),
                ('pay_cap', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(0)], verbose_name='limit per person')),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', 'Enter three capital letters, such as EUR.')], verbose_name='currency')),
                ('project', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='members_pay', to='annotation.project')),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('pay_per_hour__isnull', True), ('pay_per_hour__gte', 0), _connector='OR'), name='memberspay_pay_is_not_negative'), models.CheckConstraint(condition=models.Q(('pay_cap__isnull', True), ('pay_cap__gte', 0), _connector='OR'), name='memberspay_cap_is_not_negative')],
            },
        ),
        migrations.CreateModel(
            name='StartLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pay_per_hour', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(0)], verbose_name='pay per hour')),
                ('pay_cap', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True, validators=[django.core.validators.MinValueValidator(0)], verbose_name='limit per person')),
                ('currency', models.CharField(default='EUR', max_length=3, validators=[django.core.validators.RegexValidator('^[A-Z]{3}\\Z', 'Enter three capital letters, such as EUR.')], verbose_name='currency')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='start_links', to='annotation.project')),
                ('token', models.CharField(default=crowd.models.new_token, max_length=40, unique=True)),
                ('platform', models.CharField(max_length=50, verbose_name='platform')),
                ('id_parameter', models.CharField(max_length=50, verbose_name='participant ID parameter')),
                ('visit_parameter', models.CharField(blank=True, max_length=50, verbose_name='session parameter')),
                ('sentences', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000)], verbose_name='sentences per person')),
                ('most_participants', models.PositiveIntegerField(default=1000, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000000)], verbose_name='maximum participants')),
                ('minutes', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(10000)], verbose_name='estimated minutes')),
                ('contact', models.CharField(blank=True, max_length=200, verbose_name='contact')),
                ('code', models.CharField(blank=True, max_length=100, verbose_name='completion code')),
                ('flagged_code', models.CharField(blank=True, max_length=100, verbose_name='completion code if flagged')),
                ('address', models.CharField(blank=True, max_length=500, verbose_name='redirect URL')),
                ('is_on', models.BooleanField(default=True, verbose_name='people may start')),
                ('created', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('pay_per_hour__isnull', True), ('pay_per_hour__gte', 0), _connector='OR'), name='startlink_pay_is_not_negative'), models.CheckConstraint(condition=models.Q(('pay_cap__isnull', True), ('pay_cap__gte', 0), _connector='OR'), name='startlink_cap_is_not_negative'), models.UniqueConstraint(fields=('project', 'platform'), name='one_start_link_per_platform'), models.CheckConstraint(condition=models.Q(('sentences__isnull', True), ('sentences__gte', 1), _connector='OR'), name='sentences_of_a_start_link_are_positive'), models.CheckConstraint(condition=models.Q(('most_participants__gte', 1)), name='participants_of_a_start_link_are_positive')],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='crowd.startlink')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='participant', to=settings.AUTH_USER_MODEL)),
                ('participant_id', models.CharField(blank=True, max_length=64)),
                ('visit', models.CharField(blank=True, max_length=64)),
                ('started', models.DateTimeField()),
                ('completed', models.DateTimeField(blank=True, null=True)),
                ('code', models.CharField(blank=True, max_length=100)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('participant_id', ''), _negated=True), fields=('link', 'participant_id'), name='one_account_per_participant')],
            },
        ),
    ]
