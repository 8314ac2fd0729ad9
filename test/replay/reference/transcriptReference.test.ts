import { expect, test } from 'vitest';
import { referenceOfRun } from '../../../src/replay/reference/transcriptReference.ts';
import { englishRules } from '../../../src/replay/rules/english/englishRules.ts';
import { scoreTranscript } from '../../../src/replay/score/scoreTranscript.ts';

test('a run has no errors against itself, and keeps its speakers and times', () => {
  const transcript = {
    monologues: [
      {
        speaker: 0,
        speakerInfo: { id: 'a', displayName: 'Ann' },
        elements: [{ type: 'text', value: 'twenty', ts: 1, endTs: 2 }],
      },
      { speaker: 1, elements: [{ type: 'text', value: 'two people', ts: 3, endTs: 4 }] },
    ],
  } as const;
  const reference = referenceOfRun({ transcript });
  expect(reference).toEqual({
    kind: 'cassette',
    segments: [
      { text: 'twenty', speaker: 'Ann', ts: 1, endTs: 2 },
      { text: 'two people', speaker: '1', ts: 3, endTs: 4 },
    ],
  });
  const { words } = scoreTranscript({ reference, transcript, rules: englishRules });
  expect(words.hits).toBe(words.tokens);
  expect(words.insertions).toBe(0);
});
