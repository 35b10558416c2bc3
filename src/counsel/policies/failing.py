"""What the chance that a trial works weighs in proposals, and what a hopeless gain is worth."""

# Against a bound on the scale of log gaps, that of the default policy. Chosen on three edges beyond
# which everything fails, two seeds each. With 1, about 12 of 22 trials failed; with 3, 8; with 6,
# 5, and the best was as good; with 10, 4, and the best was worse.
LOG_BOUND_WEIGHT = 6.0
# Against a bound in the objective's units, that of a policy that was named.
BOUND_WEIGHT = 3.0
# Against expected improvement, with the share of the largest gain that counts for nothing: a point
# whose chance is half of the safest one's can still win. Chosen on sixteen worlds (grids, scattered
# arms, choices, whole numbers; those beyond a line or a level of another function fail), and looked
# at on 24 others, 35 trials each. With a share of 0.1, 4.8 trials failed, the best that works was
# found in 50% of the runs and the mean log10 gap was -3.6; with 0.01, 7.8, 58% and -4.0; with
# 0.001, 11.5, 71% and -4.7. A weight of 3 and a share of 0.1 had 12 failures and -2.5 on the first
# sixteen, where these have 6.8 and -3.7, and no share to speak of 15 and -3.3.
GAIN_WEIGHT = 8.0
LEAST_SHARE = 0.01
