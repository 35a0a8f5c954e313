"""A small report with hostile names."""

from typing import Any

from evaluation.report.shape import (
    DetectableRow,
    DisagreementRow,
    EstimateRow,
    KappaRow,
    ReportData,
    SystemRow,
)

HOSTILE = "<script>alert(1)</script>"
FORMULA = '=cmd|"/c calc"!A1'
LATEX = r"50 %_{a}$x$ & \input{x} #1 ~^"
NAMES = (HOSTILE, FORMULA, LATEX)


def system(name: str, score: float | None, rank: int | None, cluster: int | None) -> SystemRow:
    return {
        "system": name,
        "score": score,
        "low": None if score is None else score - 0.05,
        "high": None if score is None else score + 0.05,
        "undefined": "" if score is not None else "the system tied in every comparison",
        "no_interval": "",
        "wide_low": None if score is None else score - 0.1,
        "wide_high": None if score is None else score + 0.1,
        "no_wide_interval": "",
        "sentences": 3,
        "first": None if score is None else 0.5,
        "rank": rank,
        "best_rank": rank,
        "worst_rank": rank,
        "cluster": cluster,
        "wins": 3,
        "losses": 2,
        "ties": 1,
        "same_text": 1,
        "ties_of_different_texts": 0,
        "missing": 0.125,
    }


def kappa(value: float | None) -> KappaRow:
    return {
        "agree": 6,
        "compared": 8,
        "observed": 0.75,
        "expected": 0.4,
        "kappa": value,
        "low": None,
        "high": None,
        "undefined": "" if value is not None else "no two judgements of the same candidates",
        "sentences": 3,
        "no_interval": "",
        "wide_low": None,
        "wide_high": None,
        "no_wide_interval": "",
    }


def estimate_row(value: float | None) -> EstimateRow:
    return {
        "value": value,
        "low": None if value is None else value - 0.25,
        "high": None if value is None else value + 0.25,
        "undefined": "" if value is not None else "no two judgements of the same candidates",
        "no_interval": "",
        "wide_low": None,
        "wide_high": None,
        "no_wide_interval": "",
    }


def disagreement(value: float | None) -> DisagreementRow:
    return {
        "agree": 6,
        "one_tied": 1,
        "reversed": 1,
        "compared": 8,
        "reversed_share": estimate_row(0.5),
        "linear": estimate_row(value),
        "quadratic": estimate_row(value),
    }


def detectable(tests: int) -> DetectableRow:
    return {"tests": tests, "median": 0.25, "least": 0.2, "most": 0.3, "needed": [25, 100]}


def sample(**changes: Any) -> ReportData:
    """Return the report with these parts instead of its own."""
    estimate = {**estimate_row(0.5), "units": 9}
    trend = {**estimate_row(-0.1), "low": -0.2, "high": 0.05, "screens": 50}
    report: Any = {
        "project": {
            "name": "houses",
            "source_language": "en",
            "target_language": "cs",
            "systems": 3,
            "sentences": 4,
            "segments": 8,
            "candidates": 20,
            "prepared": [],
        },
        "made": "2026-01-02T03:04:05+00:00",
        "signature": "report|SegRanks 0.1.0",
        "resamples": 100,
        "seed": 7,
        "options": {
            "resamples": 100,
            "seed": 7,
            "minimum_kappa": None,
            "minimum_controls": None,
            "repeats": True,
        },
        "seconds": {"total": 0.1},
        "judged": {
            "sentences": 4,
            "sentences_judged": 3,
            "sentences_left": 1,
            "segments": 8,
            "segments_judged": 6,
            "judgements": 9,
            "narrowed": 0,
            "unidentified": 0,
        },
        "answers": None,
        "edit_rates": None,
        "rankings": {
            "ratio_of_wins": {
                "systems": [
                    system(NAMES[0], 0.75, 1, 1),
                    system(NAMES[1], 0.5, 2, 2),
                    system(NAMES[2], None, None, None),
                ],
                "only_sentences": "",
                "boundaries": [0.99],
                "signature": "ratio of wins|ties ignored",
            }
        },
        "powered": None,
        "undecided": None,
        "estimated": [
            {
                "system": LATEX,
                "score": 0.53,
                "low": 0.51,
                "high": 0.55,
                "rank": 2,
                "best_rank": 1,
                "worst_rank": 3,
                "others": [],
                "predicted": 0.52,
                "predicted_low": 0.45,
                "predicted_high": 0.59,
                "sampled": 300,
                "judged": 200,
                "weight": 0.75,
                "needed": 800,
                "undefined": "",
                "signature": "prediction corrected by judgements|SegRanks 0.1.0",
            }
        ],
        "significance": {
            "systems": list(NAMES),
            "wins": [[0, 3, 0], [1, 0, 0], [0, 0, 0]],
            "losses": [[0, 1, 0], [3, 0, 0], [0, 0, 0]],
            "ties": [[0, 0, 2], [0, 0, 0], [2, 0, 0]],
            "same_text": [[0, 0, 1], [0, 0, 0], [1, 0, 0]],
            "ties_of_different_texts": [[0, 0, 1], [0, 0, 0], [1, 0, 0]],
            "win_rate": [[None, 0.75, None], [0.25, None, None], [None, None, None]],
            "p": [[None, 0.004, None], [0.004, None, None], [None, None, None]],
            "p_holm": [[None, 0.004, None], [0.004, None, None], [None, None, None]],
            "wide_p": [[None, 0.006, None], [0.006, None, None], [None, None, None]],
            "wide_p_holm": [[None, 0.006, None], [0.006, None, None], [None, None, None]],
            "better": [[None, 0.99, None], [0.01, None, None], [None, None, None]],
            "only_sentences": "",
            "undefined": [
                ["", "", "they tied"],
                ["", "", "never met"],
                ["they tied", "never met", ""],
            ],
            "signature": "sign-flip",
        },
        "power": {
            "one_pair": detectable(1),
            "all_pairs": detectable(2),
            "differences": [0.1, 0.05],
            "detectable": [[None, 0.25, None], [0.25, None, None], [None, None, None]],
            "undefined": "",
            "signature": "power",
        },
        "agreement": {
            "tied": 4,
            "untied": 6,
            "expected": 0.4,
            "intra": kappa(None),
            "inter": kappa(0.58),
            "alpha": estimate,
            "tau_b": {"intra": estimate, "inter": estimate},
            "signature": "κ",
        },
        "disagreement": {
            "intra": disagreement(None),
            "inter": disagreement(0.58),
            "ordinal_alpha": {**estimate_row(0.625), "units": 9},
            "signature": "disagreement",
        },
        "annotators": [
            {
                "annotator": FORMULA,
                "sentences": 3,
                "assignments": 6,
                "judgements": 6,
                "seconds": 3600.0,
                "seconds_per_segment": 600.0,
                "intra": kappa(None),
                "inter": kappa(0.58),
                "controls": 2,
                "controls_passed": 1,
            }
        ],
        "annotator_effects": {
            "p": 0.3,
            "undefined": "",
            "systems": [{"system": NAMES[0], "p": 0.2}, {"system": NAMES[1], "p": 0.02}],
            "without": [
                {
                    "annotator": FORMULA,
                    "judgements": 6,
                    "best": NAMES[0],
                    "system": NAMES[1],
                    "change": -0.01,
                    "moved": 1,
                }
            ],
            "signature": "permutations of annotators",
        },
        "pairs": [
            {
                "annotator": FORMULA,
                "other": HOSTILE,
                "agree": 6,
                "compared": 8,
                "kappa": -0.125,
                "low": None,
                "high": None,
                "undefined": "",
                "sentences": 3,
                "no_interval": "",
            }
        ],
        "learning_curve": {
            "points": [
                {"sentences": 1, "tau": 0.2, "low": -0.5, "high": 1.0, "width": 0.4},
                {"sentences": 3, "tau": 1.0, "low": 1.0, "high": 1.0, "width": 0.1},
            ],
            "needed": [{"width": 0.05, "sentences": 12, "extrapolated": True, "undefined": ""}],
            "undefined": "",
            "signature": "learning curve",
        },
        "sequence": {
            "garbage": {**estimate, "compared": 2, "by_chance": -0.1, "p": 0.5},
            "ties": {**estimate, "compared": 2, "by_chance": -0.1, "p": 0.5},
            "place": {
                **estimate,
                "earlier_better": 3,
                "later_better": 2,
                "tied": 1,
                "p": 0.25,
            },
            "signature": "sequence effects",
        },
        "drift": {
            "together": {"annotator": "", "seconds": trend, "agreement": trend},
            "annotators": [{"annotator": FORMULA, "seconds": trend, "agreement": trend}],
            "signature": "drift",
        },
        "disputed": [
            {
                "segment": 5,
                "sentence": 2,
                "words": "the old house",
                "judgements": 2,
                "annotators": 2,
                "agree": 1,
                "reversed": 2,
                "compared": 3,
            }
        ],
        "contrasts": [
            {
                "sentence": 2,
                "judgements": 3,
                "best": NAMES[0],
                "best_score": 0.5,
                "worst": NAMES[1],
                "worst_score": -0.25,
                "spread": 0.75,
            }
        ],
        "left_out": {"annotators": [], "spared": [], "repeats": 0, "judgements": 0, "of": 9},
    }
    changed: ReportData = report | changes
    return changed
