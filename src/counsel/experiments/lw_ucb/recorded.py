"""What the LW-UCB authors recorded: median and MAD of cumulative regret after the last round.

Computed from the files of per-round regrets in their repository (jax-bandits @ 6e054d5d); the
regret of a round is |f* - y| with the noisy y.
"""

from counsel.experiments.regrets import Recorded

__all__ = ["COMPONENTS", "EARLY", "SENSORS", "SYNTHETIC", "WHEEL"]

SYNTHETIC = {
    "Cosine": {
        "LW-UCB": Recorded(44.8235, 5.4863),
        "V-UCB": Recorded(49.2179, 5.1558),
        "GP-UCB": Recorded(52.2696, 5.7920),
        "EI": Recorded(68.9224, 3.4718),
        "TS": Recorded(54.2502, 5.3610),
    },
    "Michalewicz": {
        "LW-UCB": Recorded(294.6555, 13.2797),
        "V-UCB": Recorded(372.6363, 26.0243),
        "GP-UCB": Recorded(398.4334, 32.0961),
        "EI": Recorded(467.7608, 33.5086),
        "TS": Recorded(350.2826, 17.2887),
    },
    "Modified Michalewicz": {
        "LW-UCB": Recorded(441.5408, 42.9573),
        "V-UCB": Recorded(506.1257, 10.9834),
        "GP-UCB": Recorded(537.9806, 11.0062),
        "EI": Recorded(640.3438, 17.5727),
        "TS": Recorded(507.1545, 20.7077),
    },
}

# The same after 50 of the 150 rounds, where runs cost a tenth.
EARLY = {
    "Cosine": {
        "LW-UCB": Recorded(33.0865, 4.9027),
        "V-UCB": Recorded(40.8758, 3.1724),
        "GP-UCB": Recorded(41.4517, 3.7726),
        "EI": Recorded(58.6729, 2.6242),
        "TS": Recorded(41.6573, 4.1491),
    },
    "Michalewicz": {
        "LW-UCB": Recorded(142.0039, 9.5367),
        "V-UCB": Recorded(163.9302, 3.9209),
        "GP-UCB": Recorded(168.9250, 4.4821),
        "EI": Recorded(188.4127, 8.4360),
        "TS": Recorded(169.6549, 5.7299),
    },
    "Modified Michalewicz": {
        "LW-UCB": Recorded(177.5620, 13.9026),
        "V-UCB": Recorded(185.2539, 10.9544),
        "GP-UCB": Recorded(181.9673, 9.3061),
        "EI": Recorded(199.9982, 8.1991),
        "TS": Recorded(196.4322, 3.9842),
    },
}

# By the number of components in the mixture.
COMPONENTS = {
    "Cosine": {
        2: Recorded(44.8235, 5.4863),
        4: Recorded(47.4067, 5.6997),
        6: Recorded(51.1058, 4.8616),
    },
    "Michalewicz": {
        2: Recorded(264.8144, 7.9215),
        4: Recorded(294.6555, 13.2797),
        6: Recorded(315.1543, 20.3337),
    },
    "Modified Michalewicz": {
        2: Recorded(475.6964, 37.1568),
        4: Recorded(441.5408, 42.9573),
        6: Recorded(398.5506, 21.8973),
    },
}

# LW-UCB's values profit from a leak: see `lw_ucb.authors`.
WHEEL = {
    "ρ = 0.5": {
        "LW-UCB": Recorded(29.6999, 2.3231),
        "V-UCB": Recorded(29.0610, 8.6759),
        "GP-UCB": Recorded(33.2196, 6.3646),
        "EI": Recorded(31.7156, 4.8052),
        "TS": Recorded(30.4277, 5.6993),
    },
    "ρ = 0.7": {
        "LW-UCB": Recorded(25.7557, 1.4870),
        "V-UCB": Recorded(37.5989, 5.3899),
        "GP-UCB": Recorded(39.1926, 5.1592),
        "EI": Recorded(37.4142, 3.8471),
        "TS": Recorded(35.6233, 4.8865),
    },
    "ρ = 0.9": {
        "LW-UCB": Recorded(33.6446, 3.9882),
        "V-UCB": Recorded(48.2039, 2.4736),
        "GP-UCB": Recorded(50.3822, 2.5016),
        "EI": Recorded(50.0055, 2.8852),
        "TS": Recorded(48.3610, 5.5317),
    },
}

SENSORS = {
    "46 sensors": {
        "LW-UCB": Recorded(4.9963, 3.0398, 500),
        "V-UCB": Recorded(6.3102, 3.0237, 500),
        "GP-UCB": Recorded(7.7920, 3.0724, 500),
        "EI": Recorded(10.7036, 3.6244, 500),
        "TS": Recorded(8.1264, 3.1106, 500),
    },
}
