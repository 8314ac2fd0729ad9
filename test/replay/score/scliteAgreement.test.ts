import { distance } from 'fastest-levenshtein';
import { expect, test } from 'vitest';
import { seeded } from '../../../src/base/seeded.ts';
import type { AlignmentRule, ErrorCounts } from '../../../src/replay/align/alignment.ts';
import { alignWords } from '../../../src/replay/align/alignWords.ts';
import { ruleSetNamed } from '../../../src/replay/rules/ruleSets.ts';
import {
  countErrors,
  errorRate,
  type TokenErrors,
  tokenErrors,
} from '../../../src/replay/score/errorCounts.ts';
import { scoreTranscript } from '../../../src/replay/score/scoreTranscript.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { shapeOf } from '../align/plainAlignment.ts';
import { editedPairs, recognisedSpeech, type Utterance, unrelatedWords } from './generatedWords.ts';
import { sclite } from './sclite.ts';

const written = (...pairs: readonly (readonly [reference: string, hypothesis: string])[]): Utterance[] => {
  const split = (text: string) => text.split(' ').filter(word => word !== '');
  return pairs.map(([reference, hypothesis]) => ({
    reference: split(reference),
    hypothesis: split(hypothesis),
  }));
};

const random = seeded(1);
const SETS: readonly (readonly [name: string, utterances: readonly Utterance[]])[] = [
  [
    'handwritten utterances',
    written(
      ['', ''],
      ['', 'nothing was said'],
      ['all of it is gone', ''],
      ['word', 'word'],
      ['word', 'other'],
      ['the cat sat on the mat', 'the cat sat on the mat'],
      ['the cat sat on the mat', 'a dog lay by some door'],
      ['the cat sat on the mat', 'cat sat on on the the mat now'],
      ['no no no no', 'no no'],
      ['no no', 'no no no no'],
      ['a b c x y', 'x y d e f'],
      ['grüße aus københavn', 'grüsse aus københavn'],
      ['𝒳 ist 𝒴', '𝒳 ist 𝒵'],
      ["don't stop", 'dont stop'],
    ),
  ],
  ['words of no relation', unrelatedWords(random, 400)],
  ['recognised speech', Array.from({ length: 100 }, () => recognisedSpeech(random, 60))],
  ['long recordings', [recognisedSpeech(random, 2500), recognisedSpeech(random, 2500, 0.3)]],
];

test.for(SETS)(
  'of %s, sclite gives the same counts, alignments and total percentage of errors',
  {
    tags: 'tools',
    timeout: 120_000,
  },
  ([, utterances], context) => {
    needsProgram(context, 'sctk');
    const report = sclite(utterances);
    const ours = utterances.map(({ reference, hypothesis }) => {
      const alignment = alignWords(reference, hypothesis, 'sclite');
      return { counts: countErrors(alignment), shape: shapeOf(alignment) };
    });
    expect(report.utterances).toMatchObject(ours);
    const errors = ours.map(({ counts }) => tokenErrors(counts));
    const sum = (count: keyof TokenErrors) => errors.reduce((total, each) => total + each[count], 0);
    const all = { tokens: sum('tokens'), errors: sum('errors') };
    expect(report.words).toBe(all.tokens);
    expect(report.errorPercent).toBe((100 * errorRate(all)).toFixed(1));
  },
);

/** Scores a pair of texts as `rxscribe score --rules plain-1` does. */
function scored({ reference, hypothesis }: Utterance, alignment: AlignmentRule): ErrorCounts {
  const element = { type: 'text', value: hypothesis.join(' ') } as const;
  const { words } = scoreTranscript({
    reference: { kind: 'text', segments: [{ text: reference.join(' ') }] },
    transcript: { monologues: [{ speaker: 0, elements: [element] }] },
    rules: ruleSetNamed('plain-1'),
    alignment,
  });
  return words;
}

const PAIRS = editedPairs(seeded(200), 200);

test('200 edited pairs of texts are scored as sclite scores them', {
  tags: 'tools',
  timeout: 120_000,
}, context => {
  needsProgram(context, 'sctk');
  const ours = PAIRS.map(pair => scored(pair, 'sclite'));
  expect(sclite(PAIRS).utterances.map(({ counts }) => counts)).toEqual(ours);
});

test('200 edited pairs of texts have as many errors by levenshtein as their edit distance', () => {
  for (const pair of PAIRS) {
    const numbers = new Map([...pair.reference, ...pair.hypothesis].map((word, index) => [word, index]));
    const letters = (words: readonly string[]) =>
      words.map(word => String.fromCharCode(256 + (numbers.get(word) ?? 0))).join('');
    const { errors, tokens } = tokenErrors(scored(pair, 'levenshtein'));
    expect(errors).toBe(distance(letters(pair.reference), letters(pair.hypothesis)));
    expect(tokens).toBe(pair.reference.length);
  }
});

test('the edited pairs have every kind of error, and sides without words', () => {
  const counts = PAIRS.map(pair => scored(pair, 'sclite'));
  for (const kind of ['hits', 'substitutions', 'deletions', 'insertions'] as const) {
    expect(counts.reduce((sum, each) => sum + each[kind], 0)).toBeGreaterThan(100);
  }
  expect(
    PAIRS.filter(({ reference, hypothesis }) => reference.length === 0 && hypothesis.length > 0).length,
  ).toBeGreaterThan(4);
  expect(
    PAIRS.filter(({ reference, hypothesis }) => reference.length > 0 && hypothesis.length === 0).length,
  ).toBeGreaterThan(4);
  expect(
    PAIRS.filter(({ reference, hypothesis }) => reference.length + hypothesis.length === 0).length,
  ).toBeGreaterThan(0);
});
