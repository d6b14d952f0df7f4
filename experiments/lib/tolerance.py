"""Tolerances: how much a value may differ from a published claim that it meets. Each tolerance is defined
here only, with its reason.

A published rate is either reached or not, and has no tolerance. All other claims use the following ones.
"""

# Values within this factor count as flat, equal or hardly slower. The pictures in the papers span decades. A
# factor of 1.5 is 0.18 of a decade, about the height of a line with its marks. A curve rises or falls only if
# its values change by more than this factor.
FLAT = 1.5

# A change of less than a tenth cannot be seen in a printed curve. Such a change does not count as a gain, a
# rise or a peak.
STEP = 1.1

# The middle between flat (exponent 0 on log scales) and proportional (exponent 1). A curve scales if its
# exponent is above the middle. A curve declines slowly if it is nearer to flat than to inversely
# proportional.
SCALES = 0.5

# Tolerance for a number that is neither better nor worse when it is larger. The model of a cluster differed
# from measured hosts by up to a factor of 2 (docs/explanation/cluster-model.md).
LIKE = 2.0

# Tolerance for two kinds of claims: "a little" above means less than half a decade, and so does "of the order
# of".
HALF_A_DECADE = 10 ** 0.5

# An idle time of "about 0" may be this many percent at most.
ABOUT_ZERO_PERCENT = 5.0

# Among twenty random sets of six unrelated pairs, one set correlates this strongly.
SIX_CORRELATE = 0.73
