"""The part of Atoll that runs inside a sandbox. Standard library plus IPython; knows nothing of threads or models."""

PROTOCOL_VERSION = 1
