"""All settings; each value comes from the environment and has a default that needs no server."""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from segranks import checks, env

BASE_DIR = Path(__file__).resolve().parent.parent
# Whatever this installation makes for itself: the embedded database, its key, its accounts.
DATA_DIR = env.folder("SEGRANKS_DATA", BASE_DIR / "data")

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret_key(DATA_DIR)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
LOOPBACK_HOSTS = checks.LOOPBACK_HOSTS
checks.refuse_unsafe_settings(debug=DEBUG, hosts=ALLOWED_HOSTS, key=SECRET_KEY)
# Where `manage.py up` listens.
PORT = env.number("PORT", 8000)
# Where people reach this installation, for links in messages; empty: where `up` listens.
SITE_ADDRESS = env.text("SITE_ADDRESS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "annotation",
    "evaluation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "segranks.urls"
WSGI_APPLICATION = "segranks.wsgi.application"
AUTH_USER_MODEL = "annotation.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "sign-in"
SELF_REGISTRATION = env.flag("SELF_REGISTRATION")

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
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
    "default": env.database("DATABASE_URL", DATA_DIR / "segranks.sqlite3")
    | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Readers never wait for the writer, and a writer takes its lock when it begins, so that
        # no transaction fails half-way with "database is locked".
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

# --- workers -------------------------------------------------------------------------------

CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# For ever, so that a broker may be away for a night.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
if CELERY_BROKER_URL.startswith("memory:"):
    # The default of a second makes twenty small tasks take eleven.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}

# --- preparation ---------------------------------------------------------------------------

# Where stanza's models lie, when not where `stanza.download` puts them by itself.
STANZA_MODELS = Path(folder) if (folder := env.text("STANZA_RESOURCES_DIR")) else None

# --- uploads -------------------------------------------------------------------------------

# Files of projects that are not made yet; by default in the data folder.
UPLOADS_DIR = Path(folder) if (folder := env.text("SEGRANKS_UPLOADS")) else None
# Of all files of one upload together.
MAX_UPLOAD_BYTES = env.number("SEGRANKS_MAX_UPLOAD_MB", 200) * 1_000_000
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
# Whatever is not the page for uploads takes no files at all: they are passed over, never stored.
FILE_UPLOAD_HANDLERS = ["annotation.uploads.receiving.NoFiles"]

# --- languages and time --------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("cs", _("Czech"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- static files --------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / ".static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- safety --------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
HTTPS = env.flag("HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Whether the domain's other hosts speak HTTPS too is not ours to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# A sentence has a field for each candidate: two hundred segments of a hundred systems fit.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
}

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.choice("LOG_LEVEL", LOG_LEVELS, "WARNING")},
    # These warn of an order to stop, of every visitor who waits a moment for a thread, and of
    # every page that is not there or not theirs.
    "loggers": {
        "django.request": {"level": "ERROR"},
        "celery.worker.control": {"level": "ERROR"},
        "waitress.queue": {"level": "ERROR"},
    },
}
