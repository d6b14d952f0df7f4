"""How near to a published claim counts as meeting it. Each bound stands here once, with its reason.

A rate that is claimed is reached or not, and needs no tolerance. The others:
"""

# Flat, equal, hardly slower. The papers' pictures span decades; half as much again is 0.18 of one,
# about what a line with its marks takes. What rises or falls leaves that.
FLAT = 1.5

# Less than a tenth more cannot be told from nothing in a printed curve: no gain, no rise, no peak.
STEP = 1.1

# A curve scales when it is nearer to proportional (exponent 1 on log scales) than to flat (0). A curve declines slowly
# when it is nearer to flat than to inversely proportional.
SCALES = 0.5

# A number that describes something is no better for being larger or smaller. The model of a cluster was up to a factor
# of 2 from measured hosts (docs/explanation/cluster-model.md).
LIKE = 2.0

# "A little" above is not the next decade, and "of the order of" is no other one: half a decade.
HALF_A_DECADE = 10 ** 0.5

# "About 0", of an idle time in percent.
ABOUT_ZERO_PERCENT = 5.0

# Six unrelated pairs correlate this strongly in one set of twenty.
SIX_CORRELATE = 0.73
