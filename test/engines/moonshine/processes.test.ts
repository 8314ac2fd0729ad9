// @module-tag tools

import { fork } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { DecoderPool } from '../../../src/engines/moonshine/decoderPool.ts';
import { MoonshineSession } from '../../../src/engines/moonshine/session.ts';
import { createSpeechSpans, type SpeechSpans } from '../../../src/engines/voice/speechSpans.ts';
import { createVoiceDetector } from '../../../src/engines/voice/voiceDetector.ts';
import { isGone } from '../../helpers/childProcesses.ts';
import { piecesOf } from '../../helpers/cutAudio.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { canReadMemory, residentMebibytes } from '../../helpers/processMemory.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { hear, listen, repeated } from '../recognizerContract.ts';
import { decoderPool, decoders, finalsOf, moonshine, textsOf } from './moonshine.ts';

const sentence = readSampleSpeech('not-ill-disposed');
const reading = readSampleSpeech('sense-and-sensibility');
const said = joined(sentence, silence(0.8));

/** Returns the frame at which the first utterance of some audio may be over. */
async function firstPause(audio: Int16Array): Promise<number> {
  let paused: number | undefined;
  using spans: SpeechSpans = createSpeechSpans(await createVoiceDetector(), {
    ...{ pauseSeconds: 0.5, maxFrames: 240_000, onSpan: () => {} },
    onPause: () => {
      paused ??= spans.now;
    },
  });
  spans.write(audio);
  return paused!;
}

function* partsOf(one: Int16Array, other: Int16Array, between: () => void) {
  yield one;
  between();
  yield other;
}

const pausing = joined(sentence, silence(0.8));

async function finalsIn(
  pool: DecoderPool,
  kind: 'stream' | 'recording',
  pieces: Iterable<Int16Array> | AsyncIterable<Int16Array>,
) {
  await using session = new MoonshineSession({
    ...{ pool, detector: await createVoiceDetector(), kind, writes: true, isQuick: false, maxWaiting: 2 },
    ...{ pauseSeconds: 0.5, maxSegmentFrames: 240_000, onClose: () => {} },
  });
  const { results } = listen(session);
  for await (const piece of pieces) await session.write(piece);
  await session.finish();
  return finalsOf(results);
}

const killAll = () => {
  for (const pid of decoders()) process.kill(pid, 'SIGKILL');
};

describe("a decoder's process", { timeout: 120_000 }, () => {
  it('may die during a stream: no session ends, and no word is lost', async context => {
    const recognizer = await moonshine(context);
    const expected = finalsOf(await hear(recognizer, reading));
    await using session = await recognizer.open();
    const { results, ended } = listen(session);
    const pids: number[] = [];
    let pieces = 0;
    for (let at = 0; at < reading.length; at += 8000, pieces += 1) {
      await session.write(reading.subarray(at, at + 8000));
      // Some seconds apart: the same audio twice is refused.
      if (pieces % 16 !== 10) continue;
      await eventually(() => expect(decoders()).toHaveLength(1));
      const [pid] = decoders();
      pids.push(pid!);
      process.kill(pid!, 'SIGKILL');
      await eventually(() => expect(isGone(pid!)).toBe(true));
    }
    await session.finish();
    await ended;
    expect(new Set(pids).size).toBeGreaterThan(2);
    expect(finalsOf(results)).toEqual(expected);
  });

  it('may die while it decodes the last words', async context => {
    const recognizer = await moonshine(context);
    const expected = finalsOf(await hear(recognizer, sentence));
    await using session = await recognizer.open();
    const { results, ended } = listen(session);
    await session.write(sentence);
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    const finishing = session.finish();
    process.kill(pid!, 'SIGKILL');
    await finishing;
    await ended;
    expect(finalsOf(results)).toEqual(expected);
  });

  it.for([
    ['is slow', 'SIGCONT'],
    ['dies', 'SIGKILL'],
  ] as const)(
    'loses no word of an utterance that it decodes in its pause, when it %s',
    async ([, end], context) => {
      const pool = await decoderPool(context);
      const pausedAt = await firstPause(pausing);
      const expected = await finalsIn(pool, 'recording', piecesOf(pausing, 1600));
      expect(expected).toHaveLength(1);
      const [pid] = decoders();
      async function* pieces() {
        for (let at = 0; at < pausing.length; at += 160) {
          // Up to the pause nothing is late.
          if (at < pausedAt) await eventually(() => expect(pool.inProgress).toBe(0));
          if (at === pausedAt) expect(pool.inProgress).toBeGreaterThan(0);
          if (at + 160 === pausedAt) process.kill(pid!, 'SIGSTOP');
          yield pausing.subarray(at, at + 160);
        }
        process.kill(pid!, end);
      }
      expect(await finalsIn(pool, 'stream', pieces())).toEqual(expected);
    },
  );

  it('loses no word of an utterance in whose pause a partial is still being decoded', async context => {
    const pool = await decoderPool(context);
    const expected = await finalsIn(pool, 'recording', piecesOf(pausing, 1600));
    const [pid] = decoders();
    async function* pieces() {
      const before = (await firstPause(pausing)) - 11_200;
      yield pausing.subarray(0, before);
      await eventually(() => expect(pool.inProgress).toBe(0));
      process.kill(pid!, 'SIGSTOP');
      // Partials come every 0.4 s.
      yield* piecesOf(pausing.subarray(before), 1600);
      process.kill(pid!, 'SIGCONT');
    }
    expect(await finalsIn(pool, 'stream', pieces())).toEqual(expected);
  });

  it('shows the words of all audio, when it was slow and no more audio comes', async context => {
    const recognizer = await moonshine(context);
    await using session = await recognizer.open();
    const { results } = listen(session);
    const lastWordEnd = () => results.at(-1)?.words.at(-1)?.endFrame ?? 0;
    await session.write(reading.subarray(0, 16_000));
    await eventually(() => expect(lastWordEnd()).toBeGreaterThan(0));
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    for (const piece of piecesOf(reading.subarray(16_000, 40_000), 8000)) await session.write(piece);
    process.kill(pid!, 'SIGCONT');
    await eventually(() => expect(lastWordEnd()).toBeGreaterThan(32_000));
  });

  it('may die in silence, or without an open session', async context => {
    const recognizer = await moonshine(context);
    const kill = async () => {
      const [pid, ...more] = decoders();
      expect(more).toEqual([]);
      process.kill(pid!, 'SIGKILL');
      await eventually(() => expect(isGone(pid!)).toBe(true));
    };
    const hearTwice = async (between: () => Promise<void>) => {
      await using session = await recognizer.open();
      const { results } = listen(session);
      await session.write(said);
      await eventually(() => expect(finalsOf(results)).toHaveLength(1));
      await between();
      await session.write(said);
      await session.finish();
      return finalsOf(results);
    };
    const expected = await hearTwice(async () => {});
    expect(expected).toHaveLength(2);
    await kill();
    expect(await hearTwice(kill)).toEqual(expected);
  });

  it('may die without losing the phrases of a stream', async context => {
    const recognizer = await moonshine(context);
    const hearTwice = async (between: () => void) => {
      await using session = await recognizer.open({ phrases: ['Ill-Disposed'] });
      const { results } = listen(session);
      await session.write(said);
      await eventually(() => expect(finalsOf(results)).toHaveLength(1));
      between();
      await session.write(said);
      await session.finish();
      return finalsOf(results);
    };
    const expected = await hearTwice(() => {});
    expect(textsOf(expected).join(' ')).toMatch(/ill-disposed.*ill-disposed/);
    expect(await hearTwice(killAll)).toEqual(expected);
  });

  it('may die without losing the phrases of a recording', async context => {
    const recognizer = await moonshine(context);
    const hearTwice = (between: () => void) =>
      recognizer.recognize(partsOf(said, said, between), { phrases: ['Ill-Disposed'] });
    expect(textsOf(await hearTwice(killAll))).toEqual(textsOf(await hearTwice(() => {})));
  });

  it('may die while it decodes a recording, whose results stay the same', async context => {
    const recognizer = await moonshine(context);
    const rest = repeated(said, 3);
    const expected = await recognizer.recognize([said, rest]);
    expect(expected).toHaveLength(4);
    for (const pid of decoders()) process.kill(pid, 'SIGSTOP');
    // The first utterance has been sent to it, and gets no answer.
    expect(await recognizer.recognize(partsOf(said, rest, killAll))).toEqual(expected);
  });

  it('is gone when the engine is closed during decoding, even when it does not respond', async context => {
    const recognizer = await moonshine(context);
    const session = await recognizer.open();
    const { ended } = listen(session);
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    const writing = session.write(repeated(said, 5)).catch(error => error);
    await recognizer.close();
    await ended;
    expect(isGone(pid!)).toBe(true);
    expect(decoders()).toEqual([]);
    expect(await writing).toMatchObject({ code: 'aborted' });
  });

  it('that is still loading when its engine is closed does not report a failure', async context => {
    const recognizer = await moonshine(context);
    const opening = recognizer.open();
    const refused = expect(opening).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => expect(decoders()).not.toEqual([]));
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    await recognizer.close();
    await refused;
    expect(isGone(pid!)).toBe(true);
  });

  it('that is still loading does not delay a session that gives up', async context => {
    const recognizer = await moonshine(context);
    const controller = new AbortController();
    const opening = recognizer.open({ signal: controller.signal });
    await eventually(() => expect(decoders()).not.toEqual([]));
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    controller.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    process.kill(pid!, 'SIGCONT');
    await (await recognizer.open()).close();
    expect(decoders()).toEqual([pid]);
  });

  it('is not affected by a session that is closed during decoding', async context => {
    const recognizer = await moonshine(context);
    const session = await recognizer.open();
    const before = decoders();
    void session.write(repeated(said, 10)).catch(() => {});
    await session.close();
    expect(finalsOf(await hear(recognizer, said))).toHaveLength(1);
    expect(decoders()).toEqual(before);
  });

  it('continues to the last word when a terminal interrupts all processes', async context => {
    const recognizer = await moonshine(context);
    await using session = await recognizer.open();
    const { results } = listen(session);
    const pids = decoders();
    for (const pid of pids) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
    await session.write(sentence);
    await session.finish();
    expect(finalsOf(results)).toHaveLength(1);
    expect(decoders()).toEqual(pids);
  });

  it('is shared by all sessions, and loaded once', async context => {
    const recognizer = await moonshine(context, { maxSessions: 8 });
    await recognizer.warm();
    await recognizer.warm();
    const pids = decoders();
    expect(pids).toHaveLength(1);
    await Promise.all(Array.from({ length: 4 }, () => hear(recognizer, said)));
    expect(decoders()).toEqual(pids);
  });

  it.runIf(canReadMemory)('returns what it took to load two models', async context => {
    const recognizer = await moonshine(context);
    await hear(recognizer, said);
    expect(residentMebibytes(decoders()[0]!)).toBeLessThan(370);
  });

  it.for(['SIGKILL', 'SIGTERM'] as const)(
    'ends with the process that started it, however that ends: %s',
    { tags: 'tools' },
    async (signal, context) => {
      await needsRecognizer(context);
      const owner = fork(new URL('./holdsSession.ts', import.meta.url), { execArgv: [] });
      const pids = await new Promise<number[]>(resolve => owner.once('message', resolve as () => void));
      expect(pids).toHaveLength(1);
      owner.kill(signal);
      await eventually(() => expect(pids.filter(pid => !isGone(pid))).toEqual([]));
    },
  );
});
