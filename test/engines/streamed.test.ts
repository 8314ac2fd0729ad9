import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  type HeardUtterance,
  type StreamedOptions,
  streamed,
  type WholeUtterance,
} from '../../src/engines/streamed.ts';
import { eventually } from '../helpers/eventually.ts';
import { joined, silence } from '../helpers/sampleSpeech.ts';
import { listen } from './recognizerContract.ts';

const RATE = 16_000;
const MESSAGE_FRAMES = RATE / 10;
const loudness = {
  isVoice: (window: Int16Array) => window.some(sample => sample > 300),
  [Symbol.dispose]() {},
};

/** Loud with a short rest every 50 ms, as speech is and noise is not. */
function voice(seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * RATE }, (_, frame) =>
    Math.floor(frame / 160) % 5 === 0 ? 100 : 8000,
  );
}

/** Soft sound that fades: the quietest place lies late in it. */
function fading(seconds: number): Int16Array {
  return Int16Array.from(
    { length: seconds * RATE },
    (_, frame) => (frame % 2 ? 1 : -1) * Math.max(5, Math.round(90 * (1 - frame / 8000))),
  );
}

/** A word for all of an utterance. */
const asOneWord = async ({ samples }: WholeUtterance) => ({
  words: [{ value: 'said', startFrame: 0, endFrame: samples.length }],
});

const NOISE = { words: [] };

/** Returns the finals of some audio, in seconds. */
async function spansIn(audio: Int16Array, { maxSeconds = 2, ...options }: Options = {}) {
  await using session = streamed(asOneWord, loudness, { ...options, maxSegmentFrames: maxSeconds * RATE });
  const { results } = listen(session);
  for (let at = 0; at < audio.length; at += MESSAGE_FRAMES) {
    await session.write(audio.subarray(at, at + MESSAGE_FRAMES));
  }
  await session.finish();
  return results.map(({ startFrame, endFrame }) => ({ from: startFrame / RATE, to: endFrame / RATE }));
}

interface Options extends Omit<StreamedOptions, 'maxSegmentFrames'> {
  readonly maxSeconds?: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('utterances of a stream', () => {
  it('contain only speech when the limit falls into the pause after it', async () => {
    for (const maxSeconds of [2, 2.1, 2.25]) {
      const spans = await spansIn(joined(silence(1), voice(1.5), fading(3)), { maxSeconds });
      expect(spans.length).toBeGreaterThan(0);
      for (const { from, to } of spans) {
        expect(to - from).toBeGreaterThan(0.1);
        expect(from).toBeLessThan(2.5);
      }
      expect(spans.at(-1)!.to).toBeGreaterThan(2.4);
    }
  });

  it('do not begin repeatedly in a pause above their limit', async () => {
    const spans = await spansIn(joined(silence(1), voice(2), silence(8)), { pauseSeconds: 5, maxSeconds: 1 });
    expect(spans.every(({ from }) => from < 3)).toBe(true);
    expect(spans.at(-1)!.to).toBeGreaterThan(2.9);
  });

  it('leave no sliver after the last cut', async () => {
    const spansWith = (more: number) => spansIn(joined(silence(1), voice(1.58), silence(0.1), voice(more)));
    const [cut, ...rest] = await spansWith(0.04);
    expect(cut!.to).toBeCloseTo(2.63, 1);
    expect(rest).toEqual([]);
    expect(await spansWith(0.5)).toEqual([cut, { from: cut!.to, to: 3.18 }]);
  });

  it('keep no recognised audio, however long nobody pauses', async () => {
    await using session = streamed(async () => NOISE, loudness, { pauseSeconds: 1.5 });
    const second = voice(1);
    // Buffers are released in the background.
    const megabytes = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers / 1e6;
    };
    const before = megabytes();
    for (let seconds = 0; seconds < 1800; seconds++) await session.write(second);
    await session.write(second);
    await expect.poll(() => megabytes() - before).toBeLessThan(20);
  });

  it('become finals in their order, with their times in order within them', async () => {
    const wrong = [
      { value: 'late', startFrame: 1e9, endFrame: 2e9 },
      { value: 'early', startFrame: -5, endFrame: -9 },
    ];
    const waits: (() => void)[] = [];
    const slow = () =>
      new Promise<HeardUtterance>(resolve => void waits.push(() => resolve({ words: wrong })));
    await using session = streamed(slow, loudness, { maxWaiting: 3 });
    const { results } = listen(session);
    await session.write(joined(silence(1), voice(1), silence(1), voice(1), silence(1)));
    const finishing = session.finish();
    await eventually(() => expect(waits).toHaveLength(2));
    for (const done of waits.toReversed()) done();
    await finishing;
    expect(results.map(({ words }) => words.map(({ value }) => value))).toEqual([
      ['late', 'early'],
      ['late', 'early'],
    ]);
    const frames = results.flatMap(({ words }) => words.flatMap(word => [word.startFrame, word.endFrame]));
    expect(frames).toEqual(frames.toSorted((one, other) => one - other));
    expect(frames.at(-1)).toBeLessThanOrEqual(5 * RATE);
  });

  it('are recognised again as they grow, one at a time, and what ends them drops the partial', async () => {
    const asked: WholeUtterance[] = [];
    const recognize = async (utterance: WholeUtterance) => {
      asked.push(utterance);
      if (asked.length === 2) throw new Error('a partial may fail');
      return utterance.isPartial && asked.length > 4
        ? new Promise<never>((_, reject) => utterance.signal.addEventListener('abort', reject))
        : asOneWord(utterance);
    };
    await using session = streamed(recognize, loudness, { partialSeconds: 0.5 });
    const { results } = listen(session);
    await session.write(silence(0.5));
    for (let second = 0; second < 30; second++) await session.write(voice(0.1));
    await session.write(silence(1));
    expect(asked.map(({ isPartial }) => isPartial)).toEqual([true, true, true, true, true, false]);
    expect(asked[4]!.signal.aborted).toBe(true);
    expect(results.map(({ type }) => type)).toEqual(['partial', 'partial', 'partial', 'final']);
    await session.finish();
  });

  it('withdraw their partial when they have no words, and end the session when they fail', async () => {
    let fails = false;
    const recognize = async (utterance: WholeUtterance) => {
      if (fails) throw new Error('the server is gone');
      return utterance.isPartial ? asOneWord(utterance) : NOISE;
    };
    await using session = streamed(recognize, loudness, { partialSeconds: 0.5 });
    const { results, ended } = listen(session);
    for (const audio of [silence(0.5), voice(0.8), silence(1)]) await session.write(audio);
    await session.flush();
    expect(results.map(({ type }) => type)).not.toContain('final');
    expect(results.map(({ words }) => words.length)).toEqual([1, 1, 0]);
    fails = true;
    await expect(session.write(joined(voice(1), silence(1)))).rejects.toThrow('the server is gone');
    await expect(ended).rejects.toMatchObject({ code: 'engine-failed' });
  });
});
