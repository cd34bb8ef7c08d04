"""What runs user code. Importing the package sets how the libraries it may bring in behave before a fork."""

import os

# One thread until after the fork: a pool that a library starts here would be lost in every child.
os.environ.update(
    {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }
)
