"""The table of rights: what each role is answered at every address.

`in` redirects to the sign-in page, `go` redirects elsewhere after the request was processed (or
cannot be); a number is the status. Methods without a row are refused. A new address needs its rows
here, and in `requests.py` a valid request.
"""

ROLES = (
    "anonymous",
    "stranger",
    "other annotator",
    "annotator",
    "observer",
    "other administrator",
    "administrator",
    "owner",
    "superuser",
)
TABLE = """
address                method anonym strang other- annot- obser- other- admin- owner  super-
                                     er     annot  ator   ver    admin  istr          user
set_language           GET    go     go     go     go     go     go     go     go     go
set_language           POST   go     go     go     go     go     go     go     go     go
set_language           PUT    go     go     go     go     go     go     go     go     go
set_language           PATCH  go     go     go     go     go     go     go     go     go
set_language           DELETE go     go     go     go     go     go     go     go     go
projects               GET    in     200    200    200    200    200    200    200    200
new-project            GET    in     403    403    403    403    200    200    200    200
new-project            POST   in     403    403    403    403    go     go     go     go
new-project-files      GET    in     403    403    403    403    404    200    404    404
new-project-files      POST   in     403    403    403    403    404    go     404    404
new-project-add        POST   in     403    403    403    403    404    go     404    404
new-project-discard    POST   in     403    403    403    403    404    go     404    404
new-project-preview    GET    in     403    403    403    403    404    go     404    404
new-project-preview    POST   in     403    403    403    403    404    go     404    404
new-project-sentences  GET    in     403    403    403    403    404    400    404    404
preparing              GET    in     404    404    403    403    404    200    200    200
preparing-state        GET    in     404    404    403    403    404    200    200    200
preparing-cancel       POST   in     404    404    403    403    404    go     go     go
preparing-retry        POST   in     404    404    403    403    404    go     go     go
judge                  GET    in     404    404    200    404    404    200    200    404
judge                  POST   in     404    404    go     404    404    403    403    404
practice               GET    in     404    404    200    404    404    200    200    404
practice-feedback      GET    in     404    404    200    404    404    404    404    404
my-judgements          GET    in     404    404    200    404    404    200    200    404
instructions           GET    in     404    404    200    404    404    200    200    404
revise                 GET    in     404    404    200    404    404    404    404    404
revise                 POST   in     404    404    go     404    404    404    404    404
project-settings       GET    in     404    404    403    403    404    200    200    200
project-state          POST   in     404    404    403    403    404    go     go     go
project-settings       POST   in     404    404    403    403    404    go     go     go
project-instructions   GET    in     404    404    403    403    404    200    200    200
project-instructions   POST   in     404    404    403    403    404    go     go     go
people                 GET    in     404    404    403    403    404    200    200    200
people                 POST   in     404    404    403    403    404    go     go     go
limit-member           POST   in     404    404    403    403    404    go     go     go
remove-member          POST   in     404    404    403    403    404    go     go     go
sentences              GET    in     404    404    403    200    404    200    200    200
sentences              POST   in     404    404    403    403    404    go     go     go
sentence               GET    in     404    404    403    200    404    200    200    200
sentence               POST   in     404    404    403    403    404    go     go     go
return-sentence        GET    in     404    404    403    403    404    200    200    200
return-sentence        POST   in     404    404    403    403    404    go     go     go
open-assignments       GET    in     404    404    403    403    404    200    200    200
release-assignment     POST   in     404    404    403    403    404    go     go     go
skipped-sentences      GET    in     404    404    403    403    404    200    200    200
practice-sentences     GET    in     404    404    403    403    404    200    200    200
new-practice           GET    in     404    404    403    403    404    200    200    200
new-practice           POST   in     404    404    403    403    404    go     go     go
change-practice        GET    in     404    404    403    403    404    200    200    200
change-practice        POST   in     404    404    403    403    404    go     go     go
retire-practice        POST   in     404    404    403    403    404    go     go     go
control-sentences      GET    in     404    404    403    403    404    200    200    200
control-sentences      POST   in     404    404    403    403    404    go     go     go
retire-control         POST   in     404    404    403    403    404    go     go     go
project-systems        GET    in     404    404    403    403    404    200    200    200
add-system             POST   in     404    404    403    403    404    go     go     go
systems-state          GET    in     404    404    403    403    404    200    200    200
continue-adding-system POST   in     404    404    403    403    404    go     go     go
sample-segments        POST   in     404    404    403    403    404    go     go     go
sample-project         POST   in     404    404    403    403    404    go     go     go
set-undecided          POST   in     404    404    403    403    404    go     go     go
skip-sentence          GET    in     404    404    200    404    404    go     go     404
skip-sentence          POST   in     404    404    go     404    404    409    409    404
draft                  PUT    403    404    404    200    404    404    404    404    404
submission             POST   403    404    404    201    404    404    404    404    404
revision               POST   403    404    404    201    404    404    404    404    404
skip                   POST   403    404    404    204    404    404    404    404    404
sign-in                GET    200    go     go     go     go     go     go     go     go
sign-in                POST   200    go     go     go     go     go     go     go     go
sign-in                PUT    200    go     go     go     go     go     go     go     go
sign-in                PATCH  405    go     go     go     go     go     go     go     go
sign-in                DELETE 405    go     go     go     go     go     go     go     go
sign-in-link           GET    404    404    404    404    404    404    404    404    404
sign-in-link           POST   404    404    404    404    404    404    404    404    404
sign-out               POST   go     go     go     go     go     go     go     go     go
set-password           GET    in     200    200    200    200    200    200    200    200
set-password           POST   in     200    200    200    200    200    200    200    200
forgotten-password     GET    200    200    200    200    200    200    200    200    200
forgotten-password     POST   200    200    200    200    200    200    200    200    200
reset-password         GET    410    410    410    410    410    410    410    410    410
reset-password         POST   410    410    410    410    410    410    410    410    410
account                GET    in     200    200    200    200    200    200    200    200
account                POST   in     go     go     go     go     go     go     go     go
new-address            GET    in     200    200    200    200    200    200    200    200
new-address            POST   in     409    409    409    409    409    409    409    409
confirm-address        GET    in     410    410    200    410    410    410    410    410
confirm-address        POST   in     410    410    go     410    410    410    410    410
end-session            POST   in     404    404    go     404    404    404    404    404
end-other-sessions     POST   in     go     go     go     go     go     go     go     go
register               GET    404    404    404    404    404    404    404    404    404
register               POST   404    404    404    404    404    404    404    404    404
confirm-registration   GET    404    404    404    404    404    404    404    404    404
confirm-registration   POST   404    404    404    404    404    404    404    404    404
invitation             GET    200    200    200    200    200    200    200    200    200
invitation             POST   go     go     go     go     go     go     go     go     go
project-invitations    GET    in     404    404    403    403    404    200    200    200
project-invitations    POST   in     404    404    403    403    404    201    201    201
revoke-invitation      POST   in     404    404    403    403    404    go     go     go
new-link               POST   in     404    404    403    403    404    201    201    201
webhooks               GET    in     404    404    403    403    404    200    200    200
new-webhook            POST   in     404    404    403    403    404    go     go     go
change-webhook         POST   in     404    404    403    403    404    go     go     go
remove-webhook         POST   in     404    404    403    403    404    go     go     go
renew-webhook-secret   POST   in     404    404    403    403    404    go     go     go
test-webhook           POST   in     404    404    403    403    404    go     go     go
deliver-webhook-again  POST   in     404    404    403    403    404    go     go     go
results                GET    in     404    404    403    200    404    200    200    200
exports                GET    in     404    404    403    200    404    200    200    200
export                 GET    in     404    404    403    200    404    200    200    200
sentence-level         GET    in     404    404    403    200    404    200    200    200
overview               GET    in     404    404    403    200    404    200    200    200
overview-now           GET    in     404    404    403    200    404    200    200    200
report                 GET    in     404    404    403    200    404    200    200    200
report-state           GET    in     404    404    403    200    404    200    200    200
report-refresh         POST   in     404    404    403    go     404    go     go     go
report-schedule        POST   in     404    404    403    403    404    go     go     go
report-json            GET    in     404    404    403    200    404    200    200    200
report-zip             GET    in     404    404    403    200    404    200    200    200
report-figure          GET    in     404    404    403    200    404    200    200    200
report-table           GET    in     404    404    403    200    404    200    200    200
report-sentence        GET    in     404    404    403    301    404    301    301    301
metrics                GET    in     404    404    403    200    404    200    200    200
metrics-state          GET    in     404    404    403    200    404    200    200    200
metrics-refresh        POST   in     404    404    403    go     404    go     go     go
add-scores             POST   in     404    404    403    403    404    go     go     go
remove-scores          POST   in     404    404    403    403    404    go     go     go
metrics-json           GET    in     404    404    403    200    404    200    200    200
metrics-zip            GET    in     404    404    403    200    404    200    200    200
metrics-figure         GET    in     404    404    403    200    404    200    200    200
metrics-table          GET    in     404    404    403    200    404    200    200    200
start                  GET    200    200    200    200    200    200    200    200    200
start                  POST   go     go     go     go     go     go     go     go     go
crowd                  GET    in     404    404    403    403    404    200    200    200
new-start-link         GET    in     404    404    403    403    404    200    200    200
new-start-link         POST   in     404    404    403    403    404    go     go     go
start-link             GET    in     404    404    403    403    404    200    200    200
start-link             POST   in     404    404    403    403    404    go     go     go
crowd-pay              POST   in     404    404    403    403    404    go     go     go
crowd-done             GET    in     404    404    404    404    404    404    404    404
payment-csv            GET    in     404    404    403    403    404    200    200    200
my-data                GET    in     200    200    200    200    200    200    200    200
my-data-json           GET    in     200    200    200    200    200    200    200    200
anonymise-me           POST   in     400    400    go     400    400    400    400    400
member-data            GET    in     404    404    403    403    404    200    200    200
anonymise-member       GET    in     404    404    403    403    404    403    200    200
anonymise-member       POST   in     404    404    403    403    404    403    go     go
api-schema             GET    200    200    200    200    200    200    200    200    200
api-schema-yaml        GET    200    200    200    200    200    200    200    200    200
api-documentation      GET    200    200    200    200    200    200    200    200    200
api-nowhere            GET    404    404    404    404    404    404    404    404    404
api-nowhere            POST   404    404    404    404    404    404    404    404    404
api-nowhere            PUT    404    404    404    404    404    404    404    404    404
api-nowhere            PATCH  404    404    404    404    404    404    404    404    404
api-nowhere            DELETE 404    404    404    404    404    404    404    404    404
tokens                 GET    in     200    200    200    200    200    200    200    200
tokens                 POST   in     200    200    200    200    200    200    200    200
revoke-token           POST   in     go     go     go     go     go     go     go     go
api-projects           GET    401    200    200    200    200    200    200    200    200
api-projects           POST   401    403    403    403    403    201    201    201    201
api-project-preview    POST   401    403    403    403    403    202    202    202    202
api-preview            GET    401    403    403    403    403    404    200    404    404
api-project            GET    401    404    404    403    200    404    200    200    200
api-project            PATCH  401    404    404    403    403    404    200    200    200
api-project            DELETE 401    404    404    403    403    404    403    204    204
api-project-state      PUT    401    404    404    403    403    404    200    200    200
api-job                GET    401    404    404    403    403    404    200    200    200
api-job                DELETE 401    404    404    403    403    404    409    409    409
api-job-retry          POST   401    404    404    403    403    404    409    409    409
api-files              GET    401    404    404    403    403    404    200    200    200
api-sentences          GET    401    404    404    403    403    404    200    200    200
api-preparation        GET    401    404    404    403    403    404    200    200    200
api-judged-sentence    GET    401    404    404    403    200    404    200    200    200
api-sentence-level     GET    401    404    404    403    409    404    409    409    409
api-systems            GET    401    404    404    403    403    404    200    200    200
api-systems            POST   401    404    404    403    403    404    202    202    202
api-system-go-on       POST   401    404    404    403    403    404    409    409    409
api-sentence-excluded  PUT    401    404    404    403    403    404    200    200    200
api-sentence-returned  PUT    401    404    404    403    403    404    200    200    200
api-excluded           GET    401    404    404    403    200    404    200    200    200
api-undecided          GET    401    404    404    403    403    404    200    200    200
api-undecided          PUT    401    404    404    403    403    404    200    200    200
api-members            GET    401    404    404    403    403    404    200    200    200
api-members            POST   401    404    404    403    403    404    201    201    201
api-member             GET    401    404    404    403    403    404    200    200    200
api-member             PUT    401    404    404    403    403    404    200    200    200
api-member             PATCH  401    404    404    403    403    404    200    200    200
api-member             DELETE 401    404    404    403    403    404    204    204    204
api-new-link           POST   401    404    404    403    403    404    201    201    201
api-member-paused      PUT    401    404    404    403    403    404    200    200    200
api-member-discarded   PUT    401    404    404    403    403    404    200    200    200
api-member-sentences   GET    401    404    404    403    403    404    200    200    200
api-member-sentences   PUT    401    404    404    403    403    404    200    200    200
api-member-data        GET    401    404    404    403    403    404    200    200    200
api-anonymise          POST   401    404    404    403    403    404    403    200    200
api-invitations        GET    401    404    404    403    403    404    200    200    200
api-invitations        POST   401    404    404    403    403    404    201    201    201
api-invitation         GET    401    404    404    403    403    404    200    200    200
api-invitation         DELETE 401    404    404    403    403    404    204    204    204
api-start-links        GET    401    404    404    403    403    404    200    200    200
api-start-links        POST   401    404    404    403    403    404    201    201    201
api-start-link         GET    401    404    404    403    403    404    200    200    200
api-start-link         PATCH  401    404    404    403    403    404    200    200    200
api-pay                GET    401    404    404    403    403    404    200    200    200
api-pay                PUT    401    404    404    403    403    404    200    200    200
api-payment            GET    401    404    404    403    403    404    200    200    200
api-assignments        GET    401    404    404    403    403    404    200    200    200
api-release            POST   401    404    404    403    403    404    200    200    200
api-instructions       GET    401    404    404    403    403    404    200    200    200
api-instructions       POST   401    404    404    403    403    404    201    201    201
api-instructions-preview POST 401    404    404    403    403    404    200    200    200
api-instructions-version GET    401    404    404    403    403    404    200    200    200
api-controls           GET    401    404    404    403    403    404    200    200    200
api-controls           POST   401    404    404    403    403    404    201    201    201
api-control            PUT    401    404    404    403    403    404    204    204    204
api-practice           GET    401    404    404    403    403    404    200    200    200
api-practice           POST   401    404    404    403    403    404    201    201    201
api-practice-possible  GET    401    404    404    403    403    404    200    200    200
api-practice-sheet     GET    401    404    404    403    403    404    200    200    200
api-practice-results   GET    401    404    404    403    200    404    200    200    200
api-practice-one       GET    401    404    404    403    403    404    200    200    200
api-practice-answers   PUT    401    404    404    403    403    404    200    200    200
api-overview           GET    401    404    404    403    200    404    200    200    200
api-report-zip         GET    401    404    404    403    200    404    200    200    200
api-practice-one       PUT    401    404    404    403    403    404    204    204    204
api-judgements         GET    401    404    404    403    200    404    200    200    200
api-statistics         GET    401    404    404    403    200    404    200    200    200
api-ranking            GET    401    404    404    403    200    404    200    200    200
api-reports            GET    401    404    404    403    200    404    200    200    200
api-schedule           GET    401    404    404    403    200    404    200    200    200
api-report             GET    401    404    404    403    200    404    200    200    200
api-report-data        GET    401    404    404    403    200    404    200    200    200
api-tables             GET    401    404    404    403    200    404    200    200    200
api-table              GET    401    404    404    403    200    404    200    200    200
api-figures            GET    401    404    404    403    200    404    200    200    200
api-figure             GET    401    404    404    403    200    404    200    200    200
api-metrics            GET    401    404    404    403    200    404    200    200    200
api-metrics-refresh    POST   401    404    404    403    202    404    202    202    202
api-export             GET    401    404    404    403    200    404    200    200    200
api-reports            POST   401    404    404    403    202    404    202    202    202
api-schedule           PUT    401    404    404    403    403    404    200    200    200
api-archive            GET    401    404    404    403    403    404    200    200    200
api-webhooks           GET    401    404    404    403    403    404    200    200    200
api-webhooks           POST   401    404    404    403    403    404    201    201    201
api-webhook            GET    401    404    404    403    403    404    200    200    200
api-webhook            PATCH  401    404    404    403    403    404    200    200    200
api-webhook            DELETE 401    404    404    403    403    404    204    204    204
api-webhook-secret     PUT    401    404    404    403    403    404    200    200    200
api-webhook-test       POST   401    404    404    403    403    404    202    202    202
api-deliveries         GET    401    404    404    403    403    404    200    200    200
api-delivery-again     POST   401    404    404    403    403    404    202    202    202
"""


def expected() -> dict[tuple[str, str], dict[str, str]]:
    """Return the answer to each role, by the name of the address and the method."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for line in TABLE.strip().splitlines()[2:]:
        name, method, *answers = line.split()
        assert (name, method) not in found, f"{name} {method} has two rows."
        found[name, method] = dict(zip(ROLES, answers, strict=True))
    return found
