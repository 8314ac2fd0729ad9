import { describe, expect, it } from 'vitest';
import type { Decoder } from '../../../src/engines/pocketsphinx/decoder.ts';
import { plainWord } from '../../../src/engines/pocketsphinx/decoder.ts';
import { Utterances } from '../../../src/engines/pocketsphinx/utterances.ts';
import type { RecognizedWord, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createEndpointer, type Endpointer } from '../../../src/engines/voice/endpointer.ts';
import { VOICE_WINDOW_FRAMES } from '../../../src/engines/voice/voiceDetector.ts';

const SECOND = 16_000;

/** Added to most samples of a word: like that of speech, the level of words goes up and down. */
const LOUD = 10_000;

/** Hears a run of samples n, loud or not, as the word `w<n>`. */
class RunDecoder implements Decoder {
  #heard: number[] = [];
  /** All that it was fed, in frames. */
  fed = 0;

  startUtterance(): void {
    this.#heard = [];
  }

  process(samples: Int16Array): void {
    this.#heard.push(...samples);
    this.fed += samples.length;
  }

  hypothesis(): readonly RecognizedWord[] {
    return wordsIn(this.#heard);
  }

  endUtterance(): readonly RecognizedWord[] {
    return this.hypothesis();
  }

  /** The words but the first one, and the words backwards. */
  alternatives(count: number): readonly (readonly RecognizedWord[])[] {
    return [this.hypothesis().slice(1), this.hypothesis().toReversed()].slice(0, count);
  }
}

/** Voice is whatever is not 0. */
function endpointer(): Endpointer {
  return createEndpointer({
    detector: { isVoice: window => window.some(sample => sample !== 0), reset() {} },
  });
}

function wordsIn(samples: readonly number[]) {
  const words: { value: string; startFrame: number; endFrame: number }[] = [];
  for (const [index, sample] of samples.entries()) {
    const last = words.at(-1);
    if (sample === 0) continue;
    const value = `w${sample % LOUD}`;
    if (last?.value === value && last.endFrame === index) last.endFrame += 1;
    else words.push({ value, startFrame: index, endFrame: index + 1 });
  }
  return words;
}

/** Runs of [word, seconds]; 0 is silence. In a word every fifth window is soft. */
function runs(...parts: readonly (readonly [number, number])[]): Int16Array {
  const run = (word: number, seconds: number) =>
    Array.from({ length: Math.round(seconds * SECOND) }, (_, index) =>
      word === 0 || Math.floor(index / VOICE_WINDOW_FRAMES) % 5 === 0 ? word : word + LOUD,
    );
  return Int16Array.from(parts.flatMap(([word, seconds]) => run(word, seconds)));
}

function utter(
  audio: Int16Array,
  options: {
    readonly maxSegmentSeconds?: number;
    readonly decoder?: Decoder;
    readonly alternatives?: number;
  } = {},
): RecognizerResult[] {
  const { maxSegmentSeconds = 30, decoder = new RunDecoder(), alternatives = 0 } = options;
  const results: RecognizerResult[] = [];
  const utterances = new Utterances(decoder, {
    endpointer: endpointer(),
    maxSegmentFrames: maxSegmentSeconds * SECOND,
    alternatives,
    emit: result => results.push(result),
  });
  utterances.write(audio);
  utterances.finish();
  return results;
}

const told = (results: readonly RecognizerResult[]) =>
  results.map(
    ({ type, words, cut }) => `${type}${cut ? ' cut' : ''}: ${words.map(word => word.value).join(' ')}`,
  );
const spans = (results: readonly RecognizerResult[]) =>
  results
    .filter(result => result.type === 'final')
    .flatMap(({ words }) => words.map(word => [word.startFrame / SECOND, word.endFrame / SECOND]));

describe('utterances', () => {
  it('tell of a change as it comes, and end at a pause', () => {
    const results = utter(runs([0, 1], [3, 0.5], [4, 0.5], [0, 1], [5, 0.5]));
    expect(told(results)).toEqual([
      'partial: w3',
      'partial: w3 w4',
      'final: w3 w4',
      'partial: w5',
      'final: w5',
    ]);
    expect(spans(results)).toEqual([
      [1, 1.5],
      [1.5, 2],
      [3, 3.5],
    ]);
  });

  it('that are cut leave the unfinished word to the next one', () => {
    const results = utter(runs([3, 1.2], [4, 1.3], [5, 0.5]), { maxSegmentSeconds: 2 });
    expect(told(results.filter(result => result.type === 'final'))).toEqual([
      'final cut: w3',
      'final: w4 w5',
    ]);
    expect(spans(results)).toEqual([
      [0, 1.2],
      [1.2, 2.5],
      [2.5, 3],
    ]);
  });

  it('that are cut in a pause keep their last word', () => {
    const results = utter(runs([3, 1.6], [0, 0.45], [4, 1]), { maxSegmentSeconds: 2 });
    expect(told(results.filter(result => result.type === 'final'))).toEqual(['final cut: w3', 'final: w4']);
  });

  it('that are one endless word are cut all the same', () => {
    const results = utter(runs([3, 10]), { maxSegmentSeconds: 2 });
    const finals = results.filter(result => result.type === 'final');
    expect(finals.length).toBeGreaterThanOrEqual(5);
    const times = spans(results);
    for (const [index, [start]] of times.entries()) expect(start).toBe(times[index - 1]?.[1] ?? 0);
    expect(times.at(-1)?.[1]).toBe(10);
  });

  it('are cut as often as the words are long', () => {
    const words = Array.from({ length: 40 }, (_, index) => [index + 1, 0.35] as const);
    const results = utter(runs(...words), { maxSegmentSeconds: 2 });
    expect(spans(results).length).toBe(40);
    for (const final of results.filter(result => result.type === 'final')) {
      expect(final.endFrame - final.startFrame).toBeLessThanOrEqual(2 * SECOND);
    }
  });

  it('take back what they showed when nothing is left of it', () => {
    class Doubting extends RunDecoder {
      override endUtterance(): readonly RecognizedWord[] {
        return [];
      }
    }
    const results = utter(runs([3, 0.5], [0, 1]), { decoder: new Doubting() });
    expect(told(results)).toEqual(['partial: w3', 'partial: ']);
  });

  it('leave the decoder in peace where nobody speaks', () => {
    const decoder = new RunDecoder();
    const results = utter(runs([0, 60], [3, 1], [0, 60]), { decoder });
    expect(spans(results)).toEqual([[60, 61]]);
    // The word, the pre-roll and the pause.
    expect(decoder.fed).toBeLessThan(2 * SECOND);
  });

  it('have alternatives on the same clock, as many as are wanted', () => {
    const audio = runs([0, 1], [3, 0.5], [4, 0.5], [0, 1]);
    const alternatives = (count: number) => utter(audio, { alternatives: count }).at(-1)!.alternatives;
    expect(alternatives(0)).toBeUndefined();
    expect(alternatives(1)).toEqual([[{ value: 'w4', startFrame: 1.5 * SECOND, endFrame: 2 * SECOND }]]);
    expect(alternatives(2)?.map(words => words.map(word => word.value))).toEqual([['w4'], ['w4', 'w3']]);
  });

  it('that are cut have alternatives without the unfinished word, unlike each other and the words', () => {
    const results = utter(runs([3, 0.8], [4, 0.7], [5, 1]), { maxSegmentSeconds: 2, alternatives: 2 });
    const cut = results.find(result => result.cut)!;
    expect(cut.words.map(word => word.value)).toEqual(['w3', 'w4']);
    expect(cut.alternatives!.map(words => words.map(word => word.value))).toEqual([['w4'], ['w4', 'w3']]);
  });
});

describe('a word of the dictionary', () => {
  it.each([
    ['read(2)', 'read'],
    ["they're", "they're"],
    ['a.', 'a'],
    ['a.m.', 'a.m.'],
    ['<s>', undefined],
    ['<sil>', undefined],
    ['[NOISE]', undefined],
    ['++SMACK++', undefined],
    [null, undefined],
  ])('%s is written %s', (entry, word) => {
    expect(plainWord(entry)).toBe(word);
  });
});
