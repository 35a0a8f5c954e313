"""All settings. Every environment variable has a default that needs no other server."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import platformdirs
from csp.constants import NONE, SELF

from segranks import checks, drf_settings, env, logging_config, service_options

VERSION = "1.0.0"
BASE_DIR = Path(__file__).resolve().parent.parent
# Where a package has the templates, static files and translations; a clone has them in BASE_DIR.
PACKAGED = BASE_DIR / "segranks" / "resources"
IS_PACKAGE = PACKAGED.is_dir()
RESOURCES = PACKAGED if IS_PACKAGE else BASE_DIR
# What the installation creates: the SQLite database, its secret key, files.
DATA_DIR = env.folder(
    "SEGRANKS_DATA",
    platformdirs.user_data_path("segranks", appauthor=False) if IS_PACKAGE else BASE_DIR / "data",
)

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret_key(DATA_DIR)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "annotation.web.views.csrf_failure.too_old"
LOOPBACK_HOSTS = checks.LOOPBACK_HOSTS
checks.refuse_unsafe_settings(debug=DEBUG, hosts=ALLOWED_HOSTS, key=SECRET_KEY)
# Whether a proxy in front of SegRanks terminates TLS.
HTTPS = env.flag("HTTPS")
# The port of `manage.py up`.
PORT = env.number("PORT", 8000)
# The address in links; by default the one where `manage.py up` listens.
SITE_ADDRESS = env.text("SITE_ADDRESS")
checks.refuse_unsafe_site(hosts=ALLOWED_HOSTS, https=HTTPS, address=SITE_ADDRESS)

INSTALLED_APPS = [
    # First, because the first Celery application of a process is that of its threads.
    "segranks",
    # Before Django's accounts: it has a `createsuperuser` of its own.
    "people",
    "annotation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "evaluation",
    "api",
    "operations",
    "crowd",
    "webhooks",
]

MIDDLEWARE = [
    "operations.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "operations.middleware.MonitoringMiddleware",
    "operations.served_files.FilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "operations.middleware.NulMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "crowd.middleware.ProjectOnlyMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "people.middleware.LastSeenMiddleware",
    "operations.middleware.MethodNotAllowedMiddleware",
    "operations.middleware.DownloadMiddleware",
    "operations.middleware.FailureMiddleware",
    # Last, because it replaces the response to a user who is locked out.
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "segranks.urls"
WSGI_APPLICATION = "segranks.wsgi.application"
AUTH_USER_MODEL = "annotation.User"
# The lock-out comes first. The password backend is the first real one, so tests and commands that
# sign a user in without naming a backend get it.
AUTHENTICATION_BACKENDS = [
    "people.lockout.LockOut",
    "django.contrib.auth.backends.ModelBackend",
    "crowd.backends.StartLinkBackend",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "sign-in"
# Whether people may register, and the domains of their mail addresses.
SELF_REGISTRATION, REGISTRATION_DOMAINS = env.registration("SELF_REGISTRATION")
# For the footer and the help page: where the source code is, and whom people can ask.
SOURCE_URL = env.text("SOURCE_URL")
CONTACT = env.text("CONTACT")
# Hosts to which crowd workers may be redirected at the end, besides the known platforms.
CROWD_HOSTS = [host.lower() for host in env.words("CROWD_HOSTS")]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- database ------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": service_options.database(env.database("DATABASE_URL", DATA_DIR / "segranks.sqlite3"))
    | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
}
CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
# The number of gunicorn processes.
WEB_CONCURRENCY = env.number("WEB_CONCURRENCY", 1)
checks.refuse_unsafe_database(DATABASES["default"])
checks.refuse_unsafe_broker(CELERY_BROKER_URL)

# --- workers -------------------------------------------------------------------------------

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Retry forever.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# All tasks can be run twice: the task of a killed process returns to the queue.
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_TRANSPORT_OPTIONS = service_options.broker_options(CELERY_BROKER_URL)
# Workers that do chunks of one preparation at a time; more would keep other jobs waiting.
PREPARATION_WORKERS = 1 if service_options.is_in_memory(CELERY_BROKER_URL) else 4

# --- mail ----------------------------------------------------------------------------------

# Without a mail server, pages tell people to ask an administrator instead.
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_SECURITY = env.choice("EMAIL_SECURITY", ("STARTTLS", "TLS", "NONE"), "STARTTLS")
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "STARTTLS", EMAIL_SECURITY == "TLS"
EMAIL_PORT = env.number("EMAIL_PORT", {"STARTTLS": 587, "TLS": 465, "NONE": 25}[EMAIL_SECURITY])
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM")
# Seconds; a person waits for the page.
EMAIL_TIMEOUT = 10
checks.refuse_unusable_mail(
    host=EMAIL_HOST,
    sender=DEFAULT_FROM_EMAIL,
    password=EMAIL_HOST_PASSWORD,
    encrypted=EMAIL_SECURITY != "NONE",
)
checks.refuse_registration_without_mail(domains=REGISTRATION_DOMAINS, mail=EMAIL_HOST)

# --- caches --------------------------------------------------------------------------------

CACHES: dict[str, Any] = {
    # In each process, so that no page waits for another server.
    "default": {
        "BACKEND": "segranks.memory_cache.MemoryCache",
        "OPTIONS": {"MAX_BYTES": 64_000_000},
    },
    # The rate limits of the API and the count of beat's runs, shared by all processes.
    "throttles": service_options.shared_cache(CELERY_BROKER_URL, "throttles"),
}

# --- preparation ---------------------------------------------------------------------------

# The folder of stanza's models, by default where `stanza.download` stores them.
STANZA_MODELS = Path(folder) if (folder := env.text("STANZA_RESOURCES_DIR")) else None

# --- files ---------------------------------------------------------------------------------

# Uploaded files of projects that are not created yet, and images, audio and video of projects: in
# a folder, which all machines share, or in PostgreSQL. Then MEDIA_ROOT has this machine's copies.
FILES_DIR = Path(folder) if (folder := env.text("SEGRANKS_FILES")) else None
MEDIA_ROOT = FILES_DIR or DATA_DIR / "files"
# The total size of an upload.
MAX_UPLOAD_BYTES = env.number("SEGRANKS_MAX_UPLOAD_MB", 200) * 1_000_000
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# The size of an image, audio or video, and of all of a project.
MAX_MEDIUM_BYTES = env.number("SEGRANKS_MAX_MEDIUM_MB", 100) * 1_000_000
MAX_MEDIA_BYTES = env.number("SEGRANKS_MAX_MEDIA_MB", 5000) * 1_000_000
# Pages that take files replace this handler by one with a quota.
FILE_UPLOAD_HANDLERS = ["annotation.uploads.upload_handlers.NoFiles"]

# --- languages and time --------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each but English has a folder in `locale/`; docs/languages.md says how to add one.
LANGUAGES = [
    ("en", "English"),
    ("cs", "Čeština"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
]
LOCALE_PATHS = [RESOURCES / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "segranks.formats"
# "12,345", in French "12 345", in German "12.345". Templates write ids with `unlocalize`.
USE_THOUSAND_SEPARATOR = True

# --- static files --------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(RESOURCES / ".static")))
STATICFILES_DIRS = [RESOURCES / "static"]
# The documentation, which `make docs` builds in a clone.
DOCS_ROOT = RESOURCES / ".docs"
STORAGES = {
    "default": service_options.file_storage(DATABASES["default"], FILES_DIR),
    "staticfiles": {"BACKEND": "operations.static_files.HashedStaticFiles"},
}

# --- safety --------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "media-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# Monitoring does not go through the proxy.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# HSTS for subdomains and preloading are decisions about the whole domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if not HTTPS:
    # Each names a setting that HTTPS=1 changes; segranks.W001 says it once.
    SILENCED_SYSTEM_CHECKS += [f"security.W{number}" for number in ("004", "008", "012", "016")]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# The judging form has a field for each candidate: enough for 200 segments of 100 systems.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "people.passwords.LengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# Seconds.
PASSWORD_RESET_TIMEOUT = 86_400

# Failed attempts for one user name from one address lock it out for this time, and so many failures
# for any names lock out the address; attempts during the lock-out do not prolong it.
AXES_FAILURE_LIMIT = 10
ADDRESS_FAILURE_LIMIT = 100
AXES_COOLOFF_TIME = timedelta(hours=1)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "people.client_ip.client_address"
AXES_LOCKOUT_CALLABLE = "people.lockout.locked_out"
# Successful sign-ins are not logged: `people` lists the current sessions.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
# The number of our proxies that add to X-Forwarded-For.
PROXIES = env.number("PROXIES", 0)
checks.refuse_negative_proxies(PROXIES)

# --- the API -------------------------------------------------------------------------------

REST_FRAMEWORK = drf_settings.REST_FRAMEWORK
# Requests a minute: of one user with all their tokens, and of one address without a token.
API_RATE = env.number("SEGRANKS_API_RATE", 600)
API_ANONYMOUS_RATE = env.number("SEGRANKS_API_ANONYMOUS_RATE", 60)
SPECTACULAR_SETTINGS = drf_settings.SPECTACULAR_SETTINGS

# --- webhooks ------------------------------------------------------------------------------

# Hosts that webhooks may be sent to, with their ports unless 443; empty: none.
WEBHOOK_HOSTS = env.words("WEBHOOK_HOSTS")
# Whether webhooks may reach private networks and go without TLS: for development only.
WEBHOOK_PRIVATE = env.flag("WEBHOOK_PRIVATE")
checks.refuse_unsafe_webhooks(private=WEBHOOK_PRIVATE, hosts=ALLOWED_HOSTS, https=HTTPS)

# --- monitoring ----------------------------------------------------------------------------

# The bearer token for /metrics; empty: /metrics is disabled.
METRICS_TOKEN = env.text("METRICS_TOKEN")
checks.refuse_short_secret("METRICS_TOKEN", METRICS_TOKEN)
# The folder in which the gunicorn processes collect their metrics.
PROMETHEUS_MULTIPROC_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")

SEGRANKS_LOG = env.choice("SEGRANKS_LOG", logging_config.FORMS, "PLAIN")
LOGGING = logging_config.logging_settings(
    SEGRANKS_LOG, env.choice("LOG_LEVEL", logging_config.LEVELS, "WARNING")
)
