import { expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import type { Aligner } from '../../../src/engines/aligner.ts';
import { createTimeWords } from '../../../src/service/desk/timeWords.ts';
import type { JobRecord } from '../../../src/service/store/jobRecord.ts';
import type { TextElement, Transcript } from '../../../src/transcript/model/model.ts';

const RATE = 16_000;
const job = { durationSeconds: 100 } as JobRecord;

/** Words of a second each, one after the other; those in capitals have no times. */
function transcriptOf(text: string): Transcript {
  const elements = text.split(' ').map((value, at): TextElement => {
    const times = value === value.toUpperCase() ? {} : { ts: at, endTs: at + 1 };
    return { type: 'text', value, ...times };
  });
  return { monologues: [{ speaker: 0, elements }] };
}

interface Call {
  readonly words: readonly string[];
  /** Frames of audio. */
  readonly frames: number;
}

/** Times words with an aligner that answers with spans in seconds of the audio that it is given. */
function timerOf(answer: (words: readonly string[]) => readonly (readonly [number, number] | undefined)[]) {
  const calls: Call[] = [];
  const errors: unknown[] = [];
  const progress: number[] = [];
  const aligner: Pick<Aligner, 'languages' | 'sampleRate' | 'align'> = {
    languages: ['en'],
    sampleRate: RATE,
    async align(audio, words) {
      let frames = 0;
      for await (const samples of audio) frames += samples.length;
      calls.push({ words, frames });
      return answer(words).map((span, at) => ({
        value: words[at]!,
        ...(span && { startFrame: span[0] * RATE, endFrame: span[1] * RATE }),
      }));
    },
  };
  const samples = async (_job: unknown, ts: number, endTs: number) => new Int16Array((endTs - ts) * RATE);
  const timeWords = createTimeWords(
    { aligner: aligner as Aligner, onError: error => errors.push(error) },
    { samples },
  );
  const run = async (text: string, of = job) => {
    const { monologues } = await timeWords(transcriptOf(text), of, done => progress.push(done));
    return monologues[0]!.elements.map(element => element.type === 'text' && [element.ts, element.endTs]);
  };
  return { run, calls, errors, progress };
}

test('words without times get those of the stretch that is aligned; others keep theirs', async () => {
  const { run, calls, progress } = timerOf(() => [
    [0.1, 0.4],
    [1.25, 1.75],
    [2.5, 2.6],
    [3.5, 4],
  ]);
  expect(await run('a B c D')).toEqual([
    [0, 1],
    [1.25, 1.75],
    [2, 3],
    [3.5, 4],
  ]);
  expect(calls).toEqual([{ words: ['a', 'B', 'c', 'D'], frames: 100 * RATE }]);
  expect(progress.map(done => Math.round(100 * done))).toEqual([30, 60, 90, 100]);
});

test('words found elsewhere than between their neighbours get no times, and those that reach beyond are cut', async () => {
  const { run } = timerOf(() => [undefined, [0.9, 1.4], [5, 6], undefined, [4.5, 5.25], undefined]);
  expect(await run('a B C d E f')).toEqual([
    [0, 1],
    [1, 1.4],
    [undefined, undefined],
    [3, 4],
    [4.5, 5],
    [5, 6],
  ]);
});

test('only the words near those without times are aligned, in the audio between the words beside them', async () => {
  const { run, calls } = timerOf(words => words.map(() => undefined));
  await run([...Array(50).fill('w'), 'NEW', ...Array(40).fill('w')].join(' '));
  expect(calls).toEqual([
    { words: [...Array(30).fill('w'), 'NEW', ...Array(30).fill('w')], frames: 61 * RATE },
  ]);
});

test('nothing is aligned without need, or in a language that the aligner does not know', async () => {
  const { run, calls } = timerOf(() => []);
  await run('a b');
  expect(await run('A', { ...job, language: 'de' })).toEqual([[undefined, undefined]]);
  expect(calls).toEqual([]);
});

test('a failed alignment leaves words without times, and one without a free session can be repeated', async () => {
  const failing = (code: 'engine-failed' | 'unavailable') =>
    timerOf(() => {
      throw new RxscribeError(code, 'no');
    });
  const { run, errors } = failing('engine-failed');
  expect(await run('A')).toEqual([[undefined, undefined]]);
  expect(errors).toHaveLength(1);
  await expect(failing('unavailable').run('A')).rejects.toMatchObject({ problem: 'tooManyRequests' });
});
