"""How classes of words open and close phrases: tenths of log odds.

Rows and columns are `phrases.Kind`, in its order. Printed by tests/load/fit_phrases.py;
learned from 6675 sentences of GUM, the Georgetown University Multilayer corpus
(Zeldes 2017, annotations CC BY 4.0, texts CC BY and CC BY-SA). No text of it is here.
"""

# fmt: off

# the token before the phrase, the token after it
AROUND = (
    ( 18,  12,   1,  -6,  -1,  -3,  -6,   0,  -5),
    (  4,  11,  -1,  -5,  -2,  -4,  -5,  -4,  -7),
    ( -1,   1,   4,  -2,  -4,  -4,  -5,  -4, -10),
    ( -1,  -2,  -3,  -5,  -4,  -6,  -3,  -8,  -9),
    (  7,   3,   1,  -5,  -2,  -6,  -7,  -7, -11),
    (-14, -11,  -8,  -3,  -6,  -6, -10, -11,  -9),
    ( -1,   1,  -2,  -5,  -2,  -7,  -1,  -4,  -9),
    ( -4,  -1,  -5,  -7,  -3,  -9,  -1,  -6,  -9),
    ( -2,  -1,  -7, -10,  -5, -12,  -1,  -6, -10),
)

# the token before the phrase, its first token
START = (
    (  0,   0,  -1,   2,  -6,   3,   2,   1,   5),
    (  0,   0,  -3,   0, -10,   4,  -6,   0,   1),
    ( -3,  -9,  -1,  -3,  -4,   2,  -1,   0,  -7),
    ( -5, -12,  -6,  -3,  -5,  -1,  -2,  -3,  -4),
    (  0,  -2,  -3,  -3,  -3,   0,  -3,  -8,  -6),
    (  0,   1,  -3,  -8,  -1,  -9,  -1,  -8, -16),
    ( -1,  -1,  -4,  -5,  -4,  -4,  -1,  -5,  -7),
    ( -1,  -4,  -5,  -8,  -6,  -2,  -4,  -6,  -8),
    (-13, -19,  -4,  -8,  -9,   1,  -3,  -2,  -8),
)

# its last token, the token after it
END = (
    (-16,   0, -13,   0,  -3,  -1,  -4,  -2,  -5),
    (  0,   0,  -8,  -6, -18,  -7, -16, -11, -12),
    (  4,   2,  -1,  -4,   1,  -2,   2,   2,  -4),
    (  8,   3,   2,  -1,   6,   1,   1,   5,   6),
    (  4,  -1,   0,  -4,  -8,  -6,  -7, -14, -13),
    (  2,   1,  -5,  -8,   0,  -6,  -2,  -9, -18),
    (  5,  -1,  -4,  -8,  -8, -16,  -7, -15, -18),
    (  6,   1,  -1, -12,  -5, -12,  -6, -12, -14),
    (  9,   2,   3,  -5,   8,  -4,  -1,   6,   1),
)

# its first token, the token after it
FIRST_AND_AFTER = (
    ( -7,  -2,  -5,   0,  -1,   0,  -3,  -2,  -4),
    (-12, -11,  -5,  -3,  -5,  -4, -10, -10, -10),
    (  2,   0, -10,  -3,   0,  -4,  -4,  -5,  -6),
    (  0,  -1,  -2,  -4,  -5,  -5,  -6,  -6,  -8),
    (  2,   5,   0,  -7,  -3,  -8,  -8, -11, -13),
    ( -3,   4,   2,  -5,  -4,  -9,   8,   4,  -3),
    (  4,   7,   2,  -6,  -2,  -4,  -2,  -3,  -8),
    (  5,   6,   1,  -7,  -4,  -8,  -3,  -5,  -9),
    (  1,   2,  -2, -11,  -6, -13,  -5,  -8, -11),
)

# by the length of the phrase, from 3 tokens
LENGTH = (-14, -13, -10, -4)

# for each kind between its first and its last token
INSIDE = (-17, -19, -6, -2, -4, -2, -4, -5, -3)
