import { describe, expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import { alignWords } from '../../../src/replay/align/alignWords.ts';
import { countErrors, errorRate, tokenErrors } from '../../../src/replay/score/errorCounts.ts';
import { characterErrors } from '../../../src/replay/score/scoreTranscript.ts';
import { shapeOf } from '../align/plainAlignment.ts';
import { recognisedSpeech, type Utterance, unrelatedWords } from './generatedWords.ts';

/** Numbers and alignments that jiwer publishes (github.com/jitsi/jiwer), by file. */

const split = (text: string) => text.split(' ').filter(word => word !== '');
const wordErrors = (reference: string, hypothesis: string) =>
  tokenErrors(countErrors(alignWords(split(reference), split(hypothesis))));

describe('the word error rate is that of jiwer', () => {
  // tests/test_measures.py; the last five are from Morris, Maier and Green 2004, "From WER and RIL to MER and WIL".
  test.each([
    ['This is a test', 'This is a test', 0],
    ['This is a test', '', 1],
    ['This is a test', 'This test', 0.5],
    ['hello this sentence is fractured', 'this sentence', 0.6],
    ['i am a short ground truth', 'i am a considerably longer and very much incorrect hypothesis', 7 / 6],
    ['X', 'X', 0],
    ['X', 'X X Y Y', 3],
    ['X Y X', 'X Z', 2 / 3],
    ['X', 'Y', 1],
    ['X', 'Y Z', 2],
  ])('of "%s" and "%s"', (reference, hypothesis, wer) => {
    expect(errorRate(wordErrors(reference, hypothesis))).toBe(wer);
  });
});

describe('the character error rate is that of jiwer', () => {
  // tests/test_cer.py; several sentences are added up.
  test.each([
    [['This is a test'], ['This is a test'], 0],
    [['This is a test'], [''], 1],
    [['This is a test'], ['This test'], 5 / 14],
    [['X'], ['X X Y Y'], 6],
    [['X Y X'], ['X Z'], 3 / 5],
    [['X'], ['Y'], 1],
    [['X'], ['Y Z'], 3],
    [['i', 'am i good'], ['i am', 'i good'], 0.6],
    [['i', 'am i good'], ['i am', 'y good'], 0.7],
  ])('of %j and %j', (references, hypotheses, cer) => {
    const all = references.map((reference, at) => characterErrors(split(reference), split(hypotheses[at]!)));
    const sum = (key: 'tokens' | 'errors') => all.reduce((total, each) => total + each[key], 0);
    expect(errorRate({ tokens: sum('tokens'), errors: sum('errors') })).toBe(cer);
  });
});

describe('among alignments of the same cost, that of jiwer is chosen', () => {
  // tests/test_alignment.py and docs/usage.md.
  test.each([
    ['this is a', 'this is a test', 'hhhi'],
    ['this is a test', 'this is a', 'hhhd'],
    ['this is a test', 'this was a test', 'hshh'],
    ['this is a test of skill', 'this was a messy test', 'hshihdd'],
    ['this test will have a high word error rate', 'no it will not', 'sshsddddd'],
    ['empty', '', 'd'],
    ['', 'inserted', 'i'],
    ['this sentence could be split', 'this sentence will be split by ai', 'hhshhii'],
    ['short one here', 'shoe order one', 'ishd'],
    ['quite a bit of longer sentence', 'quite bit of an even longest sentence here', 'hdhhiishi'],
  ])('for words of "%s" and "%s"', (reference, hypothesis, shape) => {
    expect(shapeOf(alignWords(split(reference), split(hypothesis)))).toBe(shape);
  });

  test.each([
    ['this is a', 'this is a test', '         IIIII'],
    ['this is a test', 'this is a', '         DDDDD'],
    ['this is a test', 'this iz a test', '      S       '],
    ['this is a test of skill', 'this was a messy test', '     IS    S  IS SSD SDDD'],
    ['one', '1', 'SDD'],
    [
      'this sentence could be split',
      'this sentence will be split by ai',
      '              SSS D         IIIIII',
    ],
    [
      'this test will  have a high word error rate',
      'no it will not',
      'SSDD SDD       SDDDDDDDDDDDDD DDDDDDDDDDD D',
    ],
  ])('for characters of "%s" and "%s"', (reference, hypothesis, printed) => {
    const shape = shapeOf(alignWords([...reference], [...hypothesis]));
    expect(shape.replaceAll('h', ' ').toUpperCase()).toBe(printed);
  });
});

describe('counts are those of RapidFuzz 3.14.6, on which jiwer counts', () => {
  const random = seeded(4);
  const sets: readonly (readonly [string, readonly Utterance[], object])[] = [
    [
      '2,000 pairs of unrelated words',
      unrelatedWords(random, 2000),
      { hits: 23_314, substitutions: 13_134, deletions: 21_951, insertions: 22_107 },
    ],
    [
      'half an hour of speech, one word of ten wrong',
      [recognisedSpeech(random, 4500, 0.05)],
      { hits: 4160, substitutions: 211, deletions: 129, insertions: 108 },
    ],
    [
      'an hour of speech, one word of five wrong',
      [recognisedSpeech(random, 9000)],
      { hits: 7664, substitutions: 908, deletions: 428, insertions: 400 },
    ],
    [
      'an hour of speech, every other word wrong',
      [recognisedSpeech(random, 9000, 0.25)],
      { hits: 5735, substitutions: 2467, deletions: 798, insertions: 867 },
    ],
  ];

  test.each(sets)('of %s', { timeout: 120_000 }, (_, pairs, expected) => {
    const counts = countErrors(pairs.flatMap(pair => alignWords(pair.reference, pair.hypothesis)));
    expect(counts).toMatchObject(expected);
  });
});

describe('an empty reference', () => {
  // tests/test_empty_ref.py: the rate of jiwer 4 is the number of insertions, without an upper bound.
  test.each([
    ['', 0, 0],
    ['hello', 1, 1],
    ['0 1 2 3 4', 5, 1],
  ])('has the insertions that jiwer counts in "%s", and a rate of at most 1', (heard, insertions, wer) => {
    expect(wordErrors('', heard)).toEqual({ tokens: 0, errors: insertions });
    expect(errorRate(wordErrors('', heard))).toBe(wer);
  });

  test('counts in the sum of several', () => {
    expect(errorRate({ tokens: 2, errors: wordErrors('', 'done').errors })).toBe(1 / 2);
  });
});
