"""Each bound says how near to a published claim counts as meeting it. Each stands here once, with its reason.

A claimed rate is reached or not, and needs no tolerance. The other bounds follow.
"""

# Values within this factor are flat, equal or hardly slower. The papers' pictures span decades. A
# factor of 1.5 is 0.18 of a decade, about what a line with its marks takes. A curve that rises or
# falls leaves that band.
FLAT = 1.5

# A change of less than a tenth cannot be seen in a printed curve: it is no gain, no rise, no peak.
STEP = 1.1

# A curve scales when it is nearer to proportional (exponent 1 on log scales) than to flat (0). A curve declines slowly
# when it is nearer to flat than to inversely proportional.
SCALES = 0.5

# A number that describes something is no better for being larger or smaller. The model of a cluster was up to a factor
# of 2 from measured hosts (docs/explanation/cluster-model.md).
LIKE = 2.0

# Half a decade bounds two claims: "a little" above is not the next decade, and "of the order of" is
# no other order.
HALF_A_DECADE = 10 ** 0.5

# An idle time of "about 0" is at most this many percent.
ABOUT_ZERO_PERCENT = 5.0

# Six unrelated pairs correlate this strongly in one set of twenty.
SIX_CORRELATE = 0.73
