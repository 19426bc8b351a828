"""The published verdicts on explanations of forests (arXiv 2511.03169), made again from a folder of data."""
