"""What the chance that a trial works weighs in proposals, and what a hopeless gain is worth."""

# Against a bound on the scale of log gaps, that of the default policy. Chosen on three edges beyond
# which everything fails, two seeds each. With 1, about 12 of 22 trials failed; with 3, 8; with 6,
# 5, and the best was as good; with 10, 4, and the best was worse.
LOG_BOUND_WEIGHT = 6.0
# Against a bound in the objective's units, that of a policy that was named.
BOUND_WEIGHT = 3.0
# Against expected improvement, with the share of the largest gain that counts for nothing. Chosen
# on eight functions over 400 arms; those beyond a level of another function or beyond a line
# next to the best arm fail; two seeds each. Of 40 trials, 15 failed without a least gain; with 0.1
# standard deviations and a weight of 3, 4 did, and the best arm that works was found in 34% of the
# runs; with these, 6 and 47%. The mean log10 gap was -3.1, -2.6 and -3.2. With a constraint on top,
# 21, 6 and 6 failed and 47, 38 and 44% were found.
GAIN_WEIGHT = 8.0
LEAST_SHARE = 0.1
