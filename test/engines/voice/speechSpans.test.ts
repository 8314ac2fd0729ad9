import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSpeechSpans,
  type SpeechSpan,
  type SpeechSpans,
} from '../../../src/engines/voice/speechSpans.ts';
import {
  createVoiceDetector,
  VOICE_WINDOW_FRAMES,
  type VoiceDetector,
} from '../../../src/engines/voice/voiceDetector.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

const RATE = 16_000;
const POST_ROLL_FRAMES = 0.2 * RATE;

/** Hears a voice wherever the samples are not 0. */
function plainDetector(): VoiceDetector & { readonly disposed: () => boolean } {
  let isDisposed = false;
  return {
    isVoice: window => window[0] !== 0,
    disposed: () => isDisposed,
    [Symbol.dispose]: () => {
      isDisposed = true;
    },
  };
}

interface Run {
  readonly pauseSeconds?: number;
  readonly maxSeconds?: number;
  readonly pieces?: number;
  readonly detector?: VoiceDetector;
  readonly onSpan?: (span: SpeechSpan, spans: SpeechSpans) => void;
  readonly onPause?: (span: SpeechSpan, spans: SpeechSpans) => void;
}

/** Utterances of some audio, and what was announced before each. */
function spansOf(
  audio: Int16Array,
  { pauseSeconds = 0.5, maxSeconds = 15, pieces = 4000, ...run }: Run = {},
) {
  const found: SpeechSpan[] = [];
  const announced: (SpeechSpan | undefined)[] = [];
  let last: SpeechSpan | undefined;
  const spans = createSpeechSpans(run.detector ?? plainDetector(), {
    pauseSeconds,
    maxFrames: maxSeconds * RATE,
    onSpan(span) {
      found.push(span);
      announced.push(last);
      last = undefined;
      run.onSpan?.(span, spans);
    },
    onPause(span) {
      last = span;
      run.onPause?.(span, spans);
    },
  });
  for (const piece of piecesOf(audio, pieces)) spans.write(piece);
  const open = spans.startFrame;
  const ended = found.length;
  spans.finish();
  return { found, announced, open, ended, now: spans.now };
}

/** Loudness in steps of 10 ms; 0 is silence. */
function audioOf(...parts: readonly (readonly [level: number, windows: number])[]): Int16Array {
  return joined(
    ...parts.map(([level, windows]) => new Int16Array(windows * VOICE_WINDOW_FRAMES).fill(level)),
  );
}

/** Voice and silence by turns: short, so that the voice is not taken for the noise of the place. */
const talk = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 150 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 2000, max: 9000 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(turns =>
    joined(audioOf([0, 100]), ...turns.map(([on, off, level]) => audioOf([level, on], [0, off]))),
  );

describe('utterances of a stream', () => {
  it('are the same however the audio is cut', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 1, max: 20_000 }), (audio, pieces) => {
        expect(spansOf(audio, { pieces })).toEqual(spansOf(audio));
      }),
    );
  });

  it('are in order, apart, and within the audio after any pause', () => {
    fc.assert(
      fc.property(
        talk,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 10, max: 500 }),
        (audio, maxSeconds, pause) => {
          let last = 0;
          for (const span of spansOf(audio, { maxSeconds, pauseSeconds: pause / 100 }).found) {
            const { startFrame, endFrame } = span;
            expect(startFrame).toBeGreaterThanOrEqual(last);
            expect(endFrame).toBeGreaterThan(startFrame);
            expect(endFrame - startFrame).toBeLessThanOrEqual(maxSeconds * RATE);
            last = endFrame;
          }
          expect(last).toBeLessThanOrEqual(audio.length);
        },
      ),
    );
  });

  it('that end in a pause are announced during it, unchanged', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 25, max: 120 }), (audio, pause) => {
        const { found, announced, ended } = spansOf(audio, { pauseSeconds: pause / 100, maxSeconds: 300 });
        expect(announced.slice(0, ended)).toEqual(found.slice(0, ended));
      }),
    );
  });

  it('are announced once in each pause of 0.2 s, also when speech continues', () => {
    const announced: SpeechSpan[] = [];
    const audio = audioOf([0, 100], [5000, 50], [0, 30], [5000, 50], [0, 19], [5000, 50], [0, 80]);
    const { found } = spansOf(audio, { onPause: span => announced.push(span) });
    const start = 0.7 * RATE;
    expect(announced).toEqual([
      { startFrame: start, endFrame: 1.7 * RATE, cut: false },
      { startFrame: start, endFrame: 3.19 * RATE, cut: false },
    ]);
    expect(found).toEqual([{ startFrame: start, endFrame: 3.19 * RATE, cut: false }]);
  });

  it('have 0.3 s before the first voice, and 0.2 s after the last', () => {
    const { found } = spansOf(audioOf([0, 100], [5000, 100], [0, 100]));
    expect(found).toEqual([{ startFrame: 0.7 * RATE, endFrame: 2 * RATE + POST_ROLL_FRAMES, cut: false }]);
  });

  it('end with the audio, to the last frame', () => {
    const audio = joined(audioOf([0, 100], [5000, 100]), new Int16Array(77).fill(5000));
    expect(spansOf(audio).found).toEqual([{ startFrame: 0.7 * RATE, endFrame: audio.length, cut: false }]);
    expect(spansOf(audio).now).toBe(audio.length);
  });

  it('are absent with hardly any voice, and in no audio', () => {
    expect(spansOf(audioOf([0, 100], [5000, 5], [0, 100])).found).toEqual([]);
    expect(spansOf(new Int16Array(0)).found).toEqual([]);
  });

  it('are cut at the quietest frame of their second half when they are too long, without losing a frame', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 22 }), quietAt => {
        // The quiet is a voice, too, for this detector: 0.2 s of it.
        const speech = audioOf([6000, quietAt * 10], [300, 20], [6000, 300 - quietAt * 10]);
        const { found } = spansOf(joined(silence(1), speech, silence(1)), { maxSeconds: 2.8 });
        const [first, second] = found;
        expect(first?.cut).toBe(true);
        const quietStart = RATE + quietAt * 1600;
        expect(first!.endFrame).toBeGreaterThanOrEqual(quietStart);
        expect(first!.endFrame).toBeLessThanOrEqual(quietStart + 0.2 * RATE);
        expect(second).toMatchObject({ startFrame: first!.endFrame, cut: false });
      }),
    );
  });

  it('end at a flush, and the next one begins there at the earliest', () => {
    /** Spans of parts that are each followed by a flush, in windows. */
    const flushed = (...parts: readonly (readonly (readonly [level: number, windows: number])[])[]) => {
      const found: (readonly [number, number])[] = [];
      using spans = createSpeechSpans(plainDetector(), {
        pauseSeconds: 0.5,
        maxFrames: 15 * RATE,
        onSpan: ({ startFrame, endFrame }) =>
          found.push([startFrame / VOICE_WINDOW_FRAMES, endFrame / VOICE_WINDOW_FRAMES]),
      });
      for (const part of parts) {
        spans.write(audioOf(...part));
        spans.flush();
        expect(spans.startFrame).toBeUndefined();
      }
      return found;
    };
    const begun = [
      [0, 100],
      [5000, 50],
    ] as const;
    const after = [
      [5000, 50],
      [0, 60],
    ] as const;
    // Within a word, in the pause after it, and in a silence after that.
    expect(flushed(begun, after)).toEqual([
      [70, 150],
      [150, 220],
    ]);
    expect(flushed([...begun, [0, 10]], after)).toEqual([
      [70, 160],
      [160, 230],
    ]);
    expect(flushed([...begun, [0, 30]], after)).toEqual([
      [70, 170],
      [170, 250],
    ]);
    expect(flushed([[0, 100]], [[0, 70]], [...begun, [0, 60]], [[0, 10]], after)).toEqual([
      [240, 340],
      [360, 460],
    ]);
    // A second flush has nothing to end.
    expect(flushed(begun, [], after)).toEqual(flushed(begun, after));
  });

  it('have all voice that is long enough for one, wherever flushes are', () => {
    const turns = fc.array(fc.tuple(fc.integer({ min: 30, max: 120 }), fc.integer({ min: 1, max: 80 })), {
      minLength: 1,
      maxLength: 6,
    });
    const places = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(turns, places, (talked, pieces) => {
        const audio = joined(
          silence(1),
          ...talked.map(([on, off]) => audioOf([5000, on], [0, off])),
          silence(1),
        );
        const found: SpeechSpan[] = [];
        using spans = createSpeechSpans(plainDetector(), {
          pauseSeconds: 0.5,
          maxFrames: 300 * RATE,
          onSpan: span => found.push(span),
        });
        let at = 0;
        for (const piece of pieces) {
          spans.write(audio.subarray(at, at + piece));
          at = Math.min(audio.length, at + piece);
          spans.flush();
          // Part of a window waits.
          expect(spans.now).toBe(at - (at % VOICE_WINDOW_FRAMES));
        }
        spans.write(audio.subarray(at));
        spans.finish();
        const isHeard = new Uint8Array(audio.length);
        let last = 0;
        for (const { startFrame, endFrame } of found) {
          expect(startFrame).toBeGreaterThanOrEqual(last);
          isHeard.fill(1, startFrame, endFrame);
          last = endFrame;
        }
        let [unheard, longest] = [0, 0];
        for (let frame = 0; frame < audio.length; frame++) {
          unheard = audio[frame] !== 0 && isHeard[frame] === 0 ? unheard + 1 : 0;
          longest = Math.max(longest, unheard);
        }
        expect(longest).toBeLessThan(0.1 * RATE);
      }),
      { numRuns: 50 },
    );
  });

  it('dispose of the detector', () => {
    const detector = plainDetector();
    const spans = createSpeechSpans(detector, { pauseSeconds: 0.5, maxFrames: RATE, onSpan: () => {} });
    spans[Symbol.dispose]();
    expect(detector.disposed()).toBe(true);
  });
});

describe('the audio of utterances', () => {
  it('is that of the stream during and at the end of an utterance', () => {
    fc.assert(
      fc.property(
        talk,
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 4 }),
        (talked, pieces, max) => {
          const audio = talked.map((sample, at) => (sample === 0 ? 0 : sample + (at % 1000)));
          let checked = 0;
          const check = ({ startFrame, endFrame }: SpeechSpan, spans: SpeechSpans) => {
            const context = 0.3 * RATE;
            const from = Math.max(0, startFrame - context);
            expect(spans.audio(startFrame, endFrame)).toEqual(audio.slice(startFrame, endFrame));
            const to = Math.min(spans.now, endFrame + context);
            expect(spans.audio(from, endFrame + context)).toEqual(audio.slice(from, to));
            checked += 1;
          };
          const { found } = spansOf(audio, { pieces, maxSeconds: max, onSpan: check, onPause: check });
          expect(checked).toBeGreaterThanOrEqual(found.length);
        },
      ),
    );
  });

  it('is a copy', () => {
    const audio = audioOf([0, 100], [5000, 100]);
    const spans = createSpeechSpans(plainDetector(), {
      pauseSeconds: 0.5,
      maxFrames: 5 * RATE,
      onSpan: () => {},
    });
    spans.write(audio);
    spans.audio(1.5 * RATE, 2 * RATE).fill(1);
    expect(spans.audio(1.5 * RATE, 2 * RATE)).toEqual(audio.slice(1.5 * RATE, 2 * RATE));
  });

  it('is that of the last 3.4 s during silence, and no older', () => {
    const audio = Int16Array.from({ length: 5 * RATE }, (_, at) => (at % 160 === 0 ? 0 : at % 3000));
    const spans = createSpeechSpans(plainDetector(), {
      pauseSeconds: 0.5,
      maxFrames: 5 * RATE,
      onSpan: () => {},
    });
    spans.write(audio);
    expect(spans.audio(0, 5 * RATE)).toEqual(audio.slice(-3.4 * RATE));
    expect(spans.audio(4 * RATE, 4.5 * RATE)).toEqual(audio.slice(4 * RATE, 4.5 * RATE));
    expect(spans.audio(4.9 * RATE, 9 * RATE)).toEqual(audio.slice(4.9 * RATE));
    expect(spans.audio(0, 1.5 * RATE)).toHaveLength(0);
  });
});

describe('utterances of speech', () => {
  it('are its sentences, each announced before it ends', async () => {
    const speech = joined(readSampleSpeech('sense-and-sensibility'), silence(1));
    const { found, announced } = spansOf(speech, { detector: await createVoiceDetector() });
    expect(found).toHaveLength(5);
    expect(announced).toEqual(found);
    // Where each of the sentences starts and ends in the recording, in seconds.
    const spoken = [
      [0.2, 7.1],
      [7.7, 10.7],
      [11.3, 16.6],
      [17.2, 23.3],
      [23.8, 27.2],
    ] as const;
    for (const [index, [start, end]] of spoken.entries()) {
      expect(Math.abs(found[index]!.startFrame / RATE - start + 0.2)).toBeLessThan(0.35);
      expect(Math.abs(found[index]!.endFrame / RATE - end)).toBeLessThan(0.35);
    }
  });
});
