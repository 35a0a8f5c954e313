"""The publications that methods of a report come from, in the notation of BibTeX, by their keys."""

from typing import Final

SOURCES: Final = {
    "bell-mccaffrey-2002": """@article{bell-mccaffrey-2002,
  author = {Bell, Robert M. and McCaffrey, Daniel F.},
  title = {Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples},
  journal = {Survey Methodology},
  volume = {28},
  number = {2},
  pages = {169--181},
  year = {2002}
}""",
    "bojar-etal-2013": """@inproceedings{bojar-etal-2013,
  author = {Bojar, Ond{\\v{r}}ej and others},
  title = {Findings of the 2013 Workshop on Statistical Machine Translation},
  booktitle = {Proceedings of the Eighth Workshop on Statistical Machine Translation},
  year = {2013},
  pages = {1--44}
}""",
    "cameron-etal-2011": """@article{cameron-etal-2011,
  author = {Cameron, A. Colin and Gelbach, Jonah B. and Miller, Douglas L.},
  title = {Robust Inference With Multiway Clustering},
  journal = {Journal of Business \\& Economic Statistics},
  volume = {29},
  number = {2},
  year = {2011},
  pages = {238--249}
}""",
    "cohen-1960": """@article{cohen-1960,
  author = {Cohen, Jacob},
  title = {A Coefficient of Agreement for Nominal Scales},
  journal = {Educational and Psychological Measurement},
  volume = {20},
  number = {1},
  year = {1960},
  pages = {37--46}
}""",
    "efron-tibshirani-1993": """@book{efron-tibshirani-1993,
  author = {Efron, Bradley and Tibshirani, Robert J.},
  title = {An Introduction to the Bootstrap},
  publisher = {Chapman \\& Hall},
  year = {1993}
}""",
    "freitag-etal-2021": """@article{freitag-etal-2021,
  author = {Freitag, Markus and Foster, George and Grangier, David and Ratnakar, Viresh and
    Tan, Qijun and Macherey, Wolfgang},
  title = {Experts, Errors, and Context: A Large-Scale Study of Human Evaluation for Machine
    Translation},
  journal = {Transactions of the Association for Computational Linguistics},
  volume = {9},
  year = {2021},
  pages = {1460--1474}
}""",
    "good-2005": """@book{good-2005,
  author = {Good, Phillip},
  title = {Permutation, Parametric, and Bootstrap Tests of Hypotheses},
  edition = {Third},
  publisher = {Springer},
  year = {2005}
}""",
    "graham-etal-2013": """@inproceedings{graham-etal-2013,
  author = {Graham, Yvette and Baldwin, Timothy and Moffat, Alistair and Zobel, Justin},
  title = {Continuous Measurement Scales in Human Evaluation of Machine Translation},
  booktitle = {Proceedings of the 7th Linguistic Annotation Workshop and Interoperability with
    Discourse},
  year = {2013},
  pages = {33--41}
}""",
    "holm-1979": """@article{holm-1979,
  author = {Holm, Sture},
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  year = {1979},
  pages = {65--70}
}""",
    "kocmi-etal-2024-esa": """@inproceedings{kocmi-etal-2024-esa,
  author = {Kocmi, Tom and Zouhar, Vil{\\'e}m and Avramidis, Eleftherios and Grundkiewicz, Roman
    and Karpinska, Marzena and Popovi{\\'c}, Maja and Sachan, Mrinmaya and Shmatova, Mariya},
  title = {Error Span Annotation: A Balanced Approach for Human Evaluation of Machine Translation},
  booktitle = {Proceedings of the Ninth Conference on Machine Translation},
  year = {2024},
  pages = {1440--1453}
}""",
    "koehn-2012": """@inproceedings{koehn-2012,
  author = {Koehn, Philipp},
  title = {Simulating Human Judgment in Machine Translation Evaluation Campaigns},
  booktitle = {Proceedings of the 9th International Workshop on Spoken Language Translation},
  year = {2012},
  pages = {179--184}
}""",
    "machacek-bojar-2015": """@article{machacek-bojar-2015,
  author = {Mach{\\'a}{\\v{c}}ek, Matou{\\v{s}} and Bojar, Ond{\\v{r}}ej},
  title = {Evaluating Machine Translation Quality Using Short Segments Annotations},
  journal = {The Prague Bulletin of Mathematical Linguistics},
  volume = {103},
  year = {2015},
  pages = {85--110}
}""",
    "mann-whitney-1947": """@article{mann-whitney-1947,
  author = {Mann, Henry B. and Whitney, Donald R.},
  title = {On a Test of Whether one of Two Random Variables is Stochastically Larger than the
    Other},
  journal = {The Annals of Mathematical Statistics},
  volume = {18},
  number = {1},
  year = {1947},
  pages = {50--60}
}""",
    "wilcoxon-1945": """@article{wilcoxon-1945,
  author = {Wilcoxon, Frank},
  title = {Individual Comparisons by Ranking Methods},
  journal = {Biometrics Bulletin},
  volume = {1},
  number = {6},
  year = {1945},
  pages = {80--83}
}""",
}
