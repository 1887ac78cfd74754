"""Publications: what is shown of the classes, and what a reader can tie together of it."""

from sqlanon.publish.counts import Counts
from sqlanon.publish.generalized import Generalized
from sqlanon.publish.groups import Anatomy, Permuted
from sqlanon.publish.publication import Publisher
from sqlanon.publish.sliced import Sliced
from sqlanon.spec import Spec

# The one list of publications. A spec that names none means the first.
PUBLICATIONS: dict[str, Publisher] = {
    one.name: one for one in (Generalized(), Anatomy(), Permuted(), Sliced(), Counts())
}


def publisher_of(spec: Spec) -> Publisher:
    """The publication that a spec asks for, with what it says of it."""
    return PUBLICATIONS[spec.publication].asked(spec)
