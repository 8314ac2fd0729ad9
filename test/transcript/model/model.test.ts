import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Transcript, textOf, withoutPunct } from '../../../src/transcript/model/model.ts';
import { wordsOf } from '../../../src/transcript/text/tokens.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';

const words = ({ monologues }: Transcript) => monologues.flatMap(({ elements }) => wordsOf(textOf(elements)));

test('words stay, and stay apart; punctuation goes', () => {
  fc.assert(
    fc.property(transcript, given => {
      const bare = withoutPunct(given);
      const elements = bare.monologues.flatMap(monologue => monologue.elements);
      expect(elements.filter(({ type }) => type === 'punct')).toEqual([]);
      expect(words(bare)).toEqual(words(given));
    }),
  );
});

test('monologues of punctuation alone are left out', () => {
  const elements = [{ type: 'punct', value: '.' }] as const;
  expect(withoutPunct({ monologues: [{ speaker: 0, elements }] })).toEqual({ monologues: [] });
});
