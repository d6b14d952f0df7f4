"""Tolerances: by how much a value may differ from a published claim that still counts as met. The constants below are
all tolerances of the experiments, with the reason for each.

A claim about a rate has no tolerance: the published rate is either reached or not. All other claims use the
following tolerances.
"""

# Values that differ by at most this factor count as flat, equal or hardly slower. The axes of the pictures in the
# papers span decades. In a picture that spans decades, a factor of 1.5 (0.18 of a decade) is about as high as a plotted
# line with its point symbols. A curve rises or falls only if its values change by more than the factor 1.5.
FLAT = 1.5

# A change of less than a tenth cannot be seen in a printed curve. Changes of less than a tenth therefore
# count as no gain, no rise and no peak.
STEP = 1.1

# Halfway between flat (exponent 0 on log scales) and proportional (exponent 1). A curve is said to scale if
# its exponent is larger. A curve declines slowly if its exponent is nearer to 0 than to -1.
SCALES = 0.5

# Tolerance for a number of which a larger value is neither better nor worse. The model of a cluster differed
# from measured hosts by up to a factor of 2 (docs/explanation/cluster-model.md).
LIKE = 2.0

# Tolerance for the claims "a little above" and "of the order of": both mean less than half a decade.
HALF_A_DECADE = 10 ** 0.5

# An idle time of at most this many percent counts as "about 0".
ABOUT_ZERO_PERCENT = 5.0

# Among twenty random sets of six unrelated pairs, one set correlates this strongly.
SIX_CORRELATE = 0.73
