import { describe, expect, test } from 'vitest';
import { audioTimes, type Delay, delayQuantiles, delaysOf } from '../../../src/replay/measure/delays.ts';
import type { SessionRun, Timed } from '../../../src/replay/session/sessionRun.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { emptyTranscript, type TextElement } from '../../../src/transcript/model/model.ts';

const RATE = 1000;

/** Ten seconds of audio in blocks of 100 ms, the first of which came after 5 s of the run. */
function runOf(events: readonly Timed<LiveEvent>[], options: Partial<SessionRun> = {}): SessionRun {
  const speed = options.speed === undefined || options.speed === 'max' ? 1 : options.speed;
  const audio = Array.from({ length: 100 }, (_, block) => ({
    atMs: 5000 + ((block + 1) * 100) / speed,
    value: { endFrame: (block + 1) * 100 },
  }));
  const rest = { statuses: [], transcript: emptyTranscript, seconds: 10, durationMs: 10_000, startTs: 0 };
  return { events, audio, sampleRate: RATE, speed: 1, ...rest, ...options };
}

const word = (value: string, ts: number, endTs: number): TextElement => ({ type: 'text', value, ts, endTs });

function partial(atMs: number, ...values: readonly string[]): Timed<LiveEvent> {
  const elements = values.map(value => ({ type: 'text' as const, value }));
  return { atMs, value: { type: 'partial', ts: 0, endTs: 1, elements } };
}

function final(atMs: number, ...elements: readonly TextElement[]): Timed<LiveEvent> {
  const { ts = 0 } = elements[0]!;
  const { endTs = 1 } = elements.at(-1)!;
  return { atMs, value: { type: 'final', ts, endTs, elements } };
}

const rounded = (delays: readonly Delay[]) => delays.map(({ seconds }) => Math.round(seconds * 1000) / 1000);

describe('the delays of a run', () => {
  test('count from the time of speech, also within a block', () => {
    const spokenAt = audioTimes(runOf([]));
    expect(spokenAt(0.1)).toBeCloseTo(5100);
    expect(spokenAt(0.25)).toBeCloseTo(5250);
    expect(spokenAt(10)).toBeCloseTo(15_000);
    // Times are rounded, so a word that ends after the audio ends with it.
    expect(spokenAt(10.01)).toBeCloseTo(15_000);
  });

  test('count on the clock of the run, regardless of speed and start time', () => {
    const spokenAt = audioTimes(runOf([], { speed: 4, startTs: 60 }));
    expect(spokenAt(60.25)).toBeCloseTo(5062.5);
  });

  test('of a word end when it stays for good', () => {
    const { word: words } = delaysOf(
      runOf([
        partial(6100, 'see'),
        partial(6300, 'sea', 'shells'),
        partial(6500, 'see', 'shells', 'on'),
        final(7000, word('See', 0.5, 1), word('shells', 1, 1.2), word('Sean', 1.2, 1.5)),
      ]),
    );
    // "see" was taken back once, and "Sean" came with the final.
    expect(rounded(words)).toEqual([0.5, 0.1, 0.5]);
  });

  test('find a word that moved within its utterance', () => {
    const { word: words } = delaysOf(
      runOf([
        partial(6100, 'shells'),
        partial(6300, 'sea', 'shells'),
        final(6400, word('sea', 0.5, 0.8), word('shells', 0.8, 1)),
      ]),
    );
    expect(rounded(words)).toEqual([0.5, 0.1]);
  });

  test('of utterances are those of the first partial and of the final', () => {
    const delays = delaysOf(
      runOf([
        partial(5900),
        partial(6100, 'one'),
        final(6900, word('one', 0.5, 1), word('two', 1, 1.5)),
        final(8000, word('three', 2, 2.5)),
      ]),
    );
    expect(rounded(delays.firstPartial)).toEqual([0.1, 0.5]);
    expect(rounded(delays.final)).toEqual([0.4, 0.5]);
  });

  test('leave out words without times', () => {
    const untimed: TextElement = { type: 'text', value: 'what' };
    const delays = delaysOf(runOf([final(7000, untimed)]));
    expect(delays).toEqual({ firstPartial: [], word: [], final: [] });
    expect(delaysOf(runOf([final(7000, word('early', 0, 1))], { audio: [] })).word).toEqual([]);
  });
});

test('the longest delays of a run are named by their words', () => {
  const delays = delaysOf(runOf([final(7000, word('soon', 0, 1.5)), final(9000, word('late', 2, 3))])).final;
  expect(delayQuantiles(delays)).toMatchObject({
    max: expect.closeTo(1),
    latest: [
      { text: 'late', endTs: 3, seconds: expect.closeTo(1) },
      { text: 'soon', endTs: 1.5, seconds: expect.closeTo(0.5) },
    ],
  });
  expect(delayQuantiles([])).toBeNull();
});
