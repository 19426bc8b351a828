"""Claims on file: what explainers said of predictions, read from JSON Lines and CSV and judged as a stream; saved cases."""
