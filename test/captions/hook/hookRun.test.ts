import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delay } from '../../../src/base/clock.ts';
import { type HookCounts, HookRun } from '../../../src/captions/hook/hookRun.ts';
import type { HookTransport } from '../../../src/captions/hook/hookTransport.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { numberedSentences } from '../../helpers/hookedRun.ts';

const TIMEOUT_MS = 1000;
const MAX_WAIT_MS = 3000;
const MAX_WAITING = 4;

/** A sentence of a run: when it comes after the one before it, and how it is answered. */
interface Case {
  readonly gapMs: number;
  /** Milliseconds to the answer. */
  readonly answerMs: number;
  readonly fails: boolean;
}

/** A transport in virtual time that answers as the cases say. */
function scriptedTransport(cases: readonly Case[], clock: VirtualClock, concurrency: number) {
  const inFlight = { now: 0, most: 0 };
  const transport: HookTransport = {
    concurrency,
    async ask({ id, text }, signal) {
      const { answerMs, fails } = cases[id - 1]!;
      inFlight.most = Math.max(inFlight.most, ++inFlight.now);
      try {
        await delay(answerMs, { clock, signal });
      } finally {
        inFlight.now--;
      }
      if (fails) throw new Error('broken');
      return text.toUpperCase();
    },
    close: async () => {},
  };
  return { transport, inFlight };
}

const cases = fc.array(fc.record({ gapMs: fc.nat(800), answerMs: fc.nat(1500), fails: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
});

describe('the sentences on their way through a hook', () => {
  it('have one event each, in order and in time, whatever the answers are', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 4 }), async (all, concurrency) => {
        const clock = new VirtualClock();
        const { transport, inFlight } = scriptedTransport(all, clock, concurrency);
        const events: { event: LiveEvent; atMs: number }[] = [];
        let counts: HookCounts = { answered: 0, givenUp: 0 };
        const run = new HookRun(transport, {
          timeoutMs: TIMEOUT_MS,
          maxWaitMs: MAX_WAIT_MS,
          maxWaiting: MAX_WAITING,
          lateError: () => new Error('late'),
          onEvent: event => events.push({ event, atMs: clock.now() }),
          onReport: report => {
            counts = report;
          },
          clock,
        });
        const sentences = numberedSentences(all.length);
        const takenAtMs: number[] = [];
        for (const [index, { gapMs }] of all.entries()) {
          await clock.advanceAsync(gapMs);
          takenAtMs.push(clock.now());
          run.take(sentences[index]!);
        }
        const drained = run.drain();
        await clock.advanceAsync(MAX_WAIT_MS + 1);
        await drained;
        expect(events.map(({ event }) => ('ts' in event ? event.ts : undefined))).toEqual(
          sentences.map(({ ts }) => ts),
        );
        for (const [index, { event, atMs }] of events.entries()) {
          expect(atMs - takenAtMs[index]!).toBeLessThanOrEqual(MAX_WAIT_MS);
          if (event.type === 'final') expect(textOf(event.elements)).toBe(`SENTENCE ${index}.`);
          else expect(event).toMatchObject({ type: 'hole', cause: 'gave-up' });
          if (all[index]!.fails || all[index]!.answerMs > TIMEOUT_MS) expect(event.type).toBe('hole');
        }
        expect(counts.answered).toBe(events.filter(({ event }) => event.type === 'final').length);
        expect(counts.answered + counts.givenUp).toBe(all.length);
        expect(inFlight.most).toBeLessThanOrEqual(concurrency);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('leave nothing behind when they are stopped', async () => {
    const clock = new VirtualClock();
    const slow = Array.from({ length: 8 }, () => ({ gapMs: 0, answerMs: 900, fails: false }));
    const { transport, inFlight } = scriptedTransport(slow, clock, 2);
    const events: LiveEvent[] = [];
    const run = new HookRun(transport, {
      timeoutMs: TIMEOUT_MS,
      maxWaitMs: MAX_WAIT_MS,
      maxWaiting: 16,
      lateError: () => new Error('late'),
      onEvent: event => events.push(event),
      clock,
    });
    for (const sentence of numberedSentences(8)) run.take(sentence);
    const drained = run.drain();
    run.stop();
    await drained;
    await clock.advanceAsync(10_000);
    expect(events).toEqual([]);
    expect(inFlight.now).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
