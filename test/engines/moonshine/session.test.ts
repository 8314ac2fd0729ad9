import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DecodedUtterance } from '../../../src/engines/moonshine/child.ts';
import { DecoderPool, type DecodeWork } from '../../../src/engines/moonshine/decoderPool.ts';
import { MoonshineSession } from '../../../src/engines/moonshine/session.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { VOICE_WINDOW_FRAMES as WINDOW_FRAMES } from '../../../src/engines/voice/voiceDetector.ts';
import type { SessionKind } from '../../../src/engines/workMeter.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';

/** Level of the first word; each further one is louder by 1. */
const FIRST_LEVEL = 2000;

/** Finds in each stretch of one level a word that names the level and the length: nothing can be lost, doubled, or cut. */
class LevelPool extends DecoderPool {
  constructor() {
    super(() => Promise.reject(new Error('no process is needed')), 1);
  }

  override async decode({ request }: DecodeWork): Promise<DecodedUtterance | undefined> {
    const { samples, start } = request()!;
    const end = samples.length;
    const words: DecodedUtterance['words'][number][] = [];
    for (let from = start, to: number; from < end; from = to) {
      for (to = from; to < end && samples[to] === samples[from]; ) to++;
      const value = wordOf(samples[from]!, to - from);
      const place = { startFrame: from, endFrame: to };
      if (samples[from] !== 0) words.push({ ...place, value, written: value, confidence: 1 });
    }
    return {
      words,
      tokens: words.map((_, index) => index),
      isLoop: false,
      isInaudible: false,
    };
  }
}

/** Understands nothing. */
class DeafPool extends LevelPool {
  readonly #isInaudible: boolean;

  constructor(isInaudible: boolean) {
    super();
    this.#isInaudible = isInaudible;
  }

  override async decode(work: DecodeWork): Promise<DecodedUtterance | undefined> {
    return { ...(await super.decode(work))!, words: [], isInaudible: this.#isInaudible };
  }
}

const wordOf = (level: number, frames: number) => `${level} for ${frames}`;

async function resultsOf(
  kind: SessionKind,
  audio: Int16Array,
  { pauseSeconds = 0.5, pool = new LevelPool(), flushAt = [] as readonly number[] } = {},
): Promise<readonly RecognizerResult[]> {
  const results: RecognizerResult[] = [];
  await using session = new MoonshineSession({
    pool,
    detector: { isVoice: window => window[0] !== 0, [Symbol.dispose]: () => {} },
    pauseSeconds,
    maxSegmentFrames: Number.POSITIVE_INFINITY,
    kind,
    maxWaiting: 2,
    writes: false,
    isQuick: false,
    onClose: () => {},
  });
  session.results$.subscribe(result => results.push(result));
  let from = 0;
  for (const to of flushAt) {
    await session.write(audio.subarray(from, to));
    const flushed = session.flush();
    from = to;
    await flushed;
  }
  await session.write(audio.subarray(from));
  await session.finish();
  return results.filter(({ type }) => type === 'final');
}

async function wordsOf(kind: SessionKind, audio: Int16Array, pauseSeconds: number): Promise<string[]> {
  const finals = await resultsOf(kind, audio, { pauseSeconds });
  return finals.flatMap(({ words }) => words.map(({ value }) => value));
}

it.each(['stream', 'recording'] as const)(
  'inaudible speech is a final without words in a %s, and no speech is none',
  async kind => {
    const audio = joined(silence(4), new Int16Array(2.1 * 16_000).fill(FIRST_LEVEL), silence(1));
    const [final, ...others] = await resultsOf(kind, audio, { pool: new DeafPool(true) });
    expect(final).toMatchObject({ startFrame: 3.7 * 16_000, endFrame: 6.3 * 16_000, words: [] });
    expect(others).toEqual([]);
    expect(await resultsOf(kind, audio, { pool: new DeafPool(false) })).toEqual([]);
  },
);

it('a stream and a recording have all words, with pauses around any length that ends an utterance', async () => {
  // In windows of 10 ms: words of 0.1 to 1 s, with pauses from half to twice the length after them.
  const said = fc.array(
    fc.tuple(fc.integer({ min: 10, max: 100 }), fc.double({ min: 0.5, max: 2, noNaN: true })),
    { minLength: 1, maxLength: 6 },
  );
  const pauses = fc.oneof(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 10, max: 500 }));
  await fc.assert(
    fc.asyncProperty(said, pauses, async (turns, pause) => {
      const spoken = turns.map(([windows, share], index) => {
        const word = new Int16Array(windows * WINDOW_FRAMES).fill(FIRST_LEVEL + index);
        return joined(word, new Int16Array(Math.round(share * pause) * WINDOW_FRAMES));
      });
      const audio = joined(silence(1), ...spoken);
      const words = turns.map(([windows], index) => wordOf(FIRST_LEVEL + index, windows * WINDOW_FRAMES));
      expect(await wordsOf('stream', audio, pause / 100)).toEqual(words);
      expect(await wordsOf('recording', audio, pause / 100)).toEqual(words);
    }),
    { numRuns: 40 },
  );
});

it('a stream and a recording have each frame of a word once, on the same clock, with a flush in it', async () => {
  const places = fc.tuple(
    fc.integer({ min: 30, max: 100 }),
    fc.double({ min: 0.1, max: 0.9, noNaN: true }),
    fc.integer({ min: 0, max: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(places, { minLength: 1, maxLength: 5 }), async turns => {
      let audio = silence(1);
      const flushAt: number[] = [];
      for (const [index, [windows, share, pause]] of turns.entries()) {
        const least = 0.12 * 16_000;
        const length = windows * WINDOW_FRAMES;
        flushAt.push(audio.length + Math.round(least + share * (length - 2 * least)));
        const word = new Int16Array(length).fill(FIRST_LEVEL + index);
        audio = joined(audio, word, new Int16Array(pause * WINDOW_FRAMES));
      }
      for (const kind of ['stream', 'recording'] as const) {
        const finals = await resultsOf(kind, audio, { flushAt });
        const heard = new Int16Array(audio.length);
        let last = 0;
        for (const { value, startFrame, endFrame } of finals.flatMap(({ words }) => words)) {
          expect(startFrame).toBeGreaterThanOrEqual(last);
          heard.fill(Number.parseInt(value, 10), startFrame, endFrame);
          last = endFrame;
        }
        expect(heard).toEqual(audio);
        expect(finals.length).toBeGreaterThan(turns.length);
      }
    }),
    { numRuns: 40 },
  );
});
