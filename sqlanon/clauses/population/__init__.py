"""A population: of its persons, how many a published cell covers, in the release or not."""
