"""A text hook: house rules for captions. Each sentence is a line of the input, and its caption a line of the output.

rxscribe caption --mic --hook 'python3 samples/caption-hook.py'
"""

import sys

HOUSE_RULES = {"Mister": "Mr.", "per cent": "%"}

for sentence in sys.stdin:
    for words, replacement in HOUSE_RULES.items():
        sentence = sentence.replace(words, replacement)
    # Without flush, Python writes nothing before the end.
    print(sentence.rstrip("\n"), flush=True)
