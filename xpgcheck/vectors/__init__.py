"""Test vectors: numbered cases with all AXps and CXps, for implementations that use none of our tools.

A *vector file* holds test groups, one a decision graph; a group holds tests, one an instance; a test holds the families of
all its XPs and claims with the verdicts on them.  The files are stored in ``data/`` and were made by
:mod:`xpgcheck.vectors.generation`; ``xpgcheck vectors`` hands them out.  The format: ``schemas/test-vectors.schema.json``.
"""
