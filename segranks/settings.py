"""All settings; each value comes from the environment and has a default that needs no server."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from segranks import checks, env, logs, rest_api, service_options

VERSION = "0.1.0"
BASE_DIR = Path(__file__).resolve().parent.parent
# Whatever this installation makes for itself: the embedded database, its key, its accounts.
DATA_DIR = env.folder("SEGRANKS_DATA", BASE_DIR / "data")

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret_key(DATA_DIR)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "annotation.web.views.csrf_failure.too_old"
LOOPBACK_HOSTS = checks.LOOPBACK_HOSTS
checks.refuse_unsafe_settings(debug=DEBUG, hosts=ALLOWED_HOSTS, key=SECRET_KEY)
# Behind a proxy that ends TLS.
HTTPS = env.flag("HTTPS")
# Where `manage.py up` listens.
PORT = env.number("PORT", 8000)
# Where people reach this installation, for links in messages; empty: where `up` listens.
SITE_ADDRESS = env.text("SITE_ADDRESS")
checks.refuse_unsafe_site(hosts=ALLOWED_HOSTS, https=HTTPS, address=SITE_ADDRESS)

INSTALLED_APPS = [
    # Before Django's accounts: it has a `createsuperuser` of its own.
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
    "axes",
    "evaluation",
    "api",
    "operations",
    "people",
    "crowd",
    "webhooks",
]

MIDDLEWARE = [
    "operations.middleware.Naming",
    "django.middleware.security.SecurityMiddleware",
    "operations.middleware.Monitoring",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "crowd.middleware.Confining",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "people.middleware.Seen",
    "operations.middleware.DiskFull",
    # Last, since it takes the place of what was answered to somebody who is locked out.
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "segranks.urls"
WSGI_APPLICATION = "segranks.wsgi.application"
AUTH_USER_MODEL = "annotation.User"
# In this order: who is locked out is not asked any further, and whoever signs in without saying how
# is one whom a password is for.
AUTHENTICATION_BACKENDS = [
    "people.lockout.LockOut",
    "people.backends.PasswordBackend",
    "crowd.backends.StartLinkBackend",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "sign-in"
# Whether people may make accounts themselves, and only those with addresses in which domains.
SELF_REGISTRATION, REGISTRATION_DOMAINS = env.registration("SELF_REGISTRATION")
# Where crowd workers may be sent at the end, besides the platforms that SegRanks knows.
CROWD_HOSTS = [host.lower() for host in env.words("CROWD_HOSTS")]

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
    "default": service_options.database(env.database("DATABASE_URL", DATA_DIR / "segranks.sqlite3"))
    | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
}
CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
# Processes of the web, as gunicorn calls them.
WEB_CONCURRENCY = env.number("WEB_CONCURRENCY", 1)
checks.refuse_unsafe_database(DATABASES["default"])
checks.refuse_unsafe_broker(CELERY_BROKER_URL)

# --- workers -------------------------------------------------------------------------------

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# For ever, so that a broker may be away for a night.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# What a process was at when it was killed goes back to the queue at once: all tasks can be done
# twice. Where the whole worker is gone, its jobs are sent anew within seconds.
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_TRANSPORT_OPTIONS = service_options.broker_options(CELERY_BROKER_URL)

# --- mail ----------------------------------------------------------------------------------

# Without a server there is no mail, and pages say whom to ask instead.
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_SECURITY = env.choice("EMAIL_SECURITY", ("STARTTLS", "TLS", "NONE"), "STARTTLS")
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL_SECURITY == "STARTTLS", EMAIL_SECURITY == "TLS"
EMAIL_PORT = env.number("EMAIL_PORT", {"STARTTLS": 587, "TLS": 465, "NONE": 25}[EMAIL_SECURITY])
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM")
# Seconds: somebody waits for the page.
EMAIL_TIMEOUT = 10
checks.refuse_unusable_mail(
    host=EMAIL_HOST,
    sender=DEFAULT_FROM_EMAIL,
    password=EMAIL_HOST_PASSWORD,
    encrypted=EMAIL_SECURITY != "NONE",
)
checks.refuse_registration_without_mail(domains=REGISTRATION_DOMAINS, mail=EMAIL_HOST)

# --- what processes remember ----------------------------------------------------------------

CACHES: dict[str, Any] = {
    # Each process for itself: no page waits for another machine, and any value can be kept.
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # How often somebody asked the API, in whole numbers, and nothing else.
    "throttles": service_options.shared_cache(CELERY_BROKER_URL, "throttles"),
}

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
FILE_UPLOAD_HANDLERS = ["annotation.uploads.streaming.NoFiles"]

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
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# Asked from the next machine, not through the proxy.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# Whether the domain's other hosts speak HTTPS too is not ours to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# A sentence has a field for each candidate: two hundred segments of a hundred systems fit.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# Seconds for which a link to choose another password is good: a day.
PASSWORD_RESET_TIMEOUT = 86_400

# Who fails so often with one name from one address, never resting for so long, has to wait for so
# long; failures meanwhile do not count.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(hours=1)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "people.client_ip.client_address"
AXES_LOCKOUT_CALLABLE = "people.lockout.locked_out"
# Who signed in from where is not kept; where somebody is signed in now, `people` knows.
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
# How many proxies of our own a request comes through, each of which adds to X-Forwarded-For; 0:
# whoever connects is the visitor.
PROXIES = env.number("PROXIES", 0)
checks.refuse_impossible_proxies(PROXIES)

# --- the API -------------------------------------------------------------------------------

REST_FRAMEWORK = rest_api.framework(https=HTTPS)
# Requests a minute: of a person with all tokens, and of an address from which nobody signed in.
API_RATE = env.number("SEGRANKS_API_RATE", 600)
API_ANONYMOUS_RATE = env.number("SEGRANKS_API_ANONYMOUS_RATE", 60)
SPECTACULAR_SETTINGS = rest_api.DESCRIPTION

# --- telling others ------------------------------------------------------------------------

# Hosts that webhooks may be sent to, each with its port where it is not 443; empty: to nobody.
WEBHOOK_HOSTS = env.words("WEBHOOK_HOSTS")
# To this machine and its neighbours too, and without TLS: for trying only.
WEBHOOK_PRIVATE = env.flag("WEBHOOK_PRIVATE")
checks.refuse_unsafe_webhooks(private=WEBHOOK_PRIVATE, hosts=ALLOWED_HOSTS, https=HTTPS)

# --- watching over it ----------------------------------------------------------------------

# What /metrics is read with; empty: there are none.
METRICS_TOKEN = env.text("METRICS_TOKEN")
checks.refuse_short_secret("METRICS_TOKEN", METRICS_TOKEN)
# Where the processes of one gunicorn put their figures together.
PROMETHEUS_MULTIPROC_DIR = env.text("PROMETHEUS_MULTIPROC_DIR")

SEGRANKS_LOG = env.choice("SEGRANKS_LOG", logs.FORMS, "PLAIN")
LOGGING = logs.logging_of(SEGRANKS_LOG, env.choice("LOG_LEVEL", logs.LEVELS, "WARNING"))
