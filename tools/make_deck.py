"""Make the deck again, with all families certified: about a minute.

    python tools/make_deck.py

A test compares the stored file with what this writes.
"""

from __future__ import annotations

from pathlib import Path

from xpgcheck.deck.building import deck_document, deck_text

FILE = Path(__file__).resolve().parent.parent / "xpgcheck" / "deck" / "data" / "deck.json"

if __name__ == "__main__":
    deck = deck_document()
    FILE.write_bytes(deck_text(deck))
    print(f"{deck.number_of_cases} cases, {deck.number_of_tests} tests: {FILE}")
