"""The pages of results."""

from django.urls import path

from evaluation import api, views

urlpatterns = [
    path("projects/<int:pk>/results/", views.results, name="results"),
    path("projects/<int:pk>/results/export.json", views.export_json, name="results-export-json"),
    path("api/projects/<int:pk>/statistics/", api.StatisticsAPI.as_view(), name="api-statistics"),
    path("api/projects/<int:pk>/ranking/", api.RankingAPI.as_view(), name="api-ranking"),
]
