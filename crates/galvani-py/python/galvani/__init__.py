"""Models and animations of old games: opened, checked, posed, edited and saved without losing a byte.

>>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
>>> lantern.validate()
[]
>>> lantern.sample('Walk', range(0, 1000, 10), space='model').matrix.shape
(100, 13, 4, 4)
"""

from collections.abc import Mapping

from ._galvani import (
    VERSION as __version__,
    BadRequest,
    Clip,
    Document,
    Error,
    Finding,
    Members,
    Mesh,
    Model,
    Poses,
    Refused,
    Unreadable,
    Verdict,
    diff,
    from_gltf,
    open,
    operations,
    samples,
    validate_many,
)

__all__ = [
    "BadRequest",
    "Clip",
    "Document",
    "Error",
    "Finding",
    "Members",
    "Mesh",
    "Model",
    "Poses",
    "Refused",
    "Unreadable",
    "Verdict",
    "__version__",
    "diff",
    "from_gltf",
    "open",
    "operations",
    "samples",
    "validate_many",
]

Mapping.register(Members)
