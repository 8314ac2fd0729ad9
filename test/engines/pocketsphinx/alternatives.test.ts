import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { RecognizedWord, Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech, readSampleText } from '../../helpers/sampleSpeech.ts';
import { hear } from '../recognizerContract.ts';

const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');

async function create(context: TestContext): Promise<Recognizer> {
  await needsRecognizer(context);
  const recognizer = createPocketSphinxRecognizer({ maxSessions: 2, spareDecoders: 0 });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

const textOf = (words: readonly RecognizedWord[]) => words.map(word => word.value).join(' ');

function expectAlternatives(final: RecognizerResult, count: number): void {
  const alternatives = final.alternatives ?? [];
  expect(alternatives.length).toBeGreaterThan(0);
  expect(alternatives.length).toBeLessThanOrEqual(count);
  const texts = [final.words, ...alternatives].map(textOf);
  expect(new Set(texts).size).toBe(texts.length);
  for (const words of alternatives) {
    let ended = 0;
    for (const word of words) {
      expect(word.value).toMatch(/^[a-z0-9'.-]+$/);
      expect(word.confidence).toBeUndefined();
      expect(word.startFrame).toBeGreaterThanOrEqual(ended);
      expect(word.endFrame).toBeGreaterThan(word.startFrame);
      ended = word.endFrame;
    }
    // The end of an utterance may be anywhere in the pause after it.
    expect(Math.abs(words[0]!.startFrame - final.startFrame)).toBeLessThan(16_000);
    expect(Math.abs(ended - final.endFrame)).toBeLessThan(16_000);
  }
}

describe('alternatives of PocketSphinx', { timeout: 120_000 }, () => {
  it('come with finals of a session that asks for them, and change nothing else', async context => {
    const recognizer = await create(context);
    const plain = await hear(recognizer, sentence);
    const asked = await hear(recognizer, sentence, { alternatives: 3 });
    expect(recognizer.capabilities.alternatives).toBe(true);
    expect(plain.some(result => result.alternatives !== undefined)).toBe(false);
    expect(asked.map(({ alternatives: _, ...result }) => result)).toEqual(plain);
    for (const { type, alternatives } of asked) expect(alternatives !== undefined).toBe(type === 'final');
    for (const final of asked.filter(result => result.type === 'final')) expectAlternatives(final, 3);
  });

  it('of a whole recording hold words that the best guess misses', async context => {
    const finals = await (await create(context)).recognize([reading], { alternatives: 20 });
    for (const final of finals) expectAlternatives(final, 20);
    // For each final that reading of it whose words the text has most of.
    const spoken = new Set(readSampleText('sense-and-sensibility'));
    const hits = (words: readonly RecognizedWord[]) => words.filter(word => spoken.has(word.value)).length;
    const chosen = finals.flatMap(({ words, alternatives }) =>
      [words, ...alternatives!].reduce((best, other) => (hits(other) > hits(best) ? other : best)),
    );
    const found = (words: readonly RecognizedWord[]) =>
      scoreWords(
        readSampleText('sense-and-sensibility'),
        words.map(word => word.value),
      ).hits;
    expect(found(chosen)).toBeGreaterThan(found(finals.flatMap(final => final.words)));
  });

  it.for([-1, 0.5, 101, Number.NaN])(
    'are refused when it is to be %d of them',
    async (alternatives, context) => {
      const recognizer = await create(context);
      await expect(recognizer.open({ alternatives })).rejects.toMatchObject({ code: 'invalid-argument' });
    },
  );
});
