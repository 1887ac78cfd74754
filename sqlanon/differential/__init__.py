"""The arithmetic of differential privacy: whole numbers and fractions, and no floating point.

A draw is one of ``DRAWS`` equally likely numbers. A mechanism says which of them lead to
which result, so that every probability is a count of them, and a bound can be proved of the counts.
"""

from sqlanon.differential.counts import DRAWS, Bound, Noise, NoiseName, Noisy, noise_for, summed
from sqlanon.differential.exponential import at_most_exp, drawn, weights_of
from sqlanon.differential.mechanisms import clamped_laplace, epsilon_holds, other_draws
from sqlanon.differential.sampling import Sampling, binomial_tail, sampling_for

__all__ = [
    "DRAWS",
    "Bound",
    "Noise",
    "NoiseName",
    "Noisy",
    "Sampling",
    "at_most_exp",
    "binomial_tail",
    "clamped_laplace",
    "drawn",
    "epsilon_holds",
    "noise_for",
    "other_draws",
    "sampling_for",
    "summed",
    "weights_of",
]
