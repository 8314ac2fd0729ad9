import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { createTextDelays } from '../../../src/service/live/textDelays.ts';
import { noInstruments } from '../../../src/service/telemetry/createInstruments.ts';

const RATE = 16_000;

/** A stream whose audio comes in pieces of 100 ms; words are given in seconds. */
function stream() {
  const clock = new VirtualClock();
  const recorded: [string, number][] = [];
  const delays = createTextDelays(RATE, clock, {
    ...noInstruments,
    record: (name, value) => void recorded.push([name, value]),
  });
  return {
    recorded,
    /** Sends seconds of audio, at a multiple of real time. */
    async speak(seconds: number, pace = 1) {
      for (let piece = 0; piece < Math.round(seconds * 10); piece++) {
        await clock.advanceAsync(100 / pace);
        delays.written(RATE / 10, clock.now());
      }
    },
    wait: (seconds: number) => clock.advanceAsync(seconds * 1000),
    text(type: 'partial' | 'final', ...ends: readonly number[]) {
      const words = ends.map(end => ({ value: 'w', startFrame: 0, endFrame: end * RATE }));
      delays.sent({ type, startFrame: 0, endFrame: 0, words });
    },
  };
}

test('the first text of an utterance counts from the end of its first word, its final from that of its last', async () => {
  const { speak, wait, text, recorded } = stream();
  await speak(2);
  text('partial', 1.25);
  text('partial', 1.25, 1.75);
  await speak(1);
  await wait(0.25);
  text('final', 1.25, 2.5);
  expect(recorded).toEqual([
    ['firstPartialDelay', 0.75],
    ['finalDelay', 0.75],
  ]);
});

test('each utterance counts again, one without a partial included, and a withdrawn partial does not', async () => {
  const { speak, text, recorded } = stream();
  await speak(2);
  text('final', 1.5);
  text('partial');
  await speak(2);
  text('partial', 3.5);
  text('partial', 3.5, 3.75);
  text('final', 3.5, 3.75);
  expect(recorded).toEqual([
    ['firstPartialDelay', 0.5],
    ['finalDelay', 0.5],
    ['firstPartialDelay', 0.5],
    ['finalDelay', 0.25],
  ]);
});

test('audio that comes faster than it was spoken does not count, until it comes in real time again', async () => {
  const { speak, text, recorded } = stream();
  await speak(10, 50);
  text('partial', 6);
  text('final', 6, 9);
  expect(recorded).toEqual([]);
  await speak(10);
  text('final', 18, 19);
  expect(recorded).toEqual([
    ['firstPartialDelay', 2],
    ['finalDelay', 1],
  ]);
});
