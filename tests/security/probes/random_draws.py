"""Prints what each source of randomness gives first."""

import json
import os
import random
import secrets
import tempfile
import uuid

try:
    import numpy
except ImportError:
    numpy = None

numpy_draws = numpy and {
    "numpy.random": [float(numpy.random.random()), float(numpy.random.standard_normal())],
    "numpy.random.default_rng": int(numpy.random.default_rng().integers(1 << 62)),
}
print(
    json.dumps(
        {
            **(numpy_draws or {}),
            "random": [random.random(), random.getrandbits(64)],
            "random.Random": random.Random().random(),
            "random.SystemRandom": random.SystemRandom().random(),
            "os.urandom": os.urandom(16).hex(),
            "uuid.uuid4": str(uuid.uuid4()),
            "uuid.uuid1": str(uuid.uuid1()),
            "secrets": secrets.token_hex(16),
            "tempfile": os.path.basename(tempfile.mktemp()),
        }
    )
)
