"""One sentence with all that was judged of it, in its words."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.selectors.judged_sentences import judged_sentence
from evaluation.services.permissions import project_to_evaluate


@never_cache
@login_required
@require_safe
def sentence(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show source, reference, and each segment's candidates with the ranks that they were given."""
    project = project_to_evaluate(request.user, pk)
    judged = judged_sentence(project, number)
    if judged is None:
        raise Http404
    context = {"project": project, "sentence": judged}
    return render(request, "evaluation/sentence.html", context)
