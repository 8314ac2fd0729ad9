import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { alongside } from '../../src/audio/alongside.ts';
import type { AudioBlock } from '../../src/audio/format/format.ts';

const RATE = 16_000;
const FRAMES = 1600;
/** Share by which the clock of the second device is fast: ten times what is usual. */
const DRIFT = 0.001;

const blockOf = (startFrame: number, samples: Float32Array): AudioBlock => ({
  startFrame,
  sampleRate: RATE,
  channels: 1,
  samples,
});

/** Two devices whose blocks the test emits, and what comes out. */
function pair() {
  const [first$, second$] = [new Subject<AudioBlock>(), new Subject<AudioBlock>()];
  const blocks: AudioBlock[] = [];
  const errors: unknown[] = [];
  const subscription = first$
    .pipe(alongside(second$))
    .subscribe({ next: block => blocks.push(block), error: error => errors.push(error) });
  onTestFinished(() => subscription.unsubscribe());
  const frames = { first: 0, second: 0 };
  const room = (count = 1) => {
    for (let index = 0; index < count; index++, frames.first += FRAMES)
      first$.next(blockOf(frames.first, new Float32Array(FRAMES).fill(0.5)));
  };
  /** Gives 100 ms of the second device, in which each second of time begins with a short sound. */
  const call = (count = 1) => {
    for (let index = 0; index < count; index++) {
      const start = Math.round(frames.second * FRAMES * (1 + DRIFT));
      const end = Math.round(++frames.second * FRAMES * (1 + DRIFT));
      const timeOf = (sample: number) => (start + sample) / (RATE * (1 + DRIFT));
      const samples = Float32Array.from({ length: end - start }, (_, sample) =>
        timeOf(sample) % 1 < 0.005 ? 0.8 : 0,
      );
      second$.next(blockOf(start, samples));
    }
  };
  /** Returns the frames at which the sounds of the second channel begin. */
  const sounds = () => {
    const right = blocks.flatMap(({ samples, startFrame }) =>
      Array.from(
        { length: samples.length / 2 },
        (_, frame) => [startFrame + frame, samples[2 * frame + 1]!] as const,
      ),
    );
    return right.flatMap(([frame, sample], index) =>
      sample > 0.4 && (right[index - 1]?.[1] ?? 0) <= 0.4 ? [frame] : [],
    );
  };
  return { first$, second$, blocks, errors, room, call, sounds };
}

test('a second device keeps its place while its clock drifts', () => {
  const { room, call, sounds, blocks } = pair();
  for (let block = 0; block < 1800; block++) {
    call();
    room();
  }
  const found = sounds();
  expect(found.length).toBeGreaterThanOrEqual(179);
  const late = found.map(frame => (frame % RATE) / RATE);
  // Without a correction, three minutes make a difference of 0.18 s.
  expect(Math.max(...late.slice(60)) - Math.min(...late.slice(60))).toBeLessThan(0.05);
  expect(Math.max(...late)).toBeLessThan(0.4);
  expect(blocks.map(({ startFrame }) => startFrame)).toEqual(blocks.map((_, index) => index * FRAMES));
  expect(blocks.every(({ channels, samples }) => channels === 2 && samples[0] === 0.5)).toBe(true);
});

test('blocks that come in bursts lose nothing of the second device', () => {
  const { room, call, sounds, blocks } = pair();
  for (let burst = 0; burst < 10; burst++) {
    room(20);
    call(20);
  }
  for (let burst = 0; burst < 10; burst++) {
    call(20);
    room(20);
  }
  expect(blocks.length).toBeGreaterThan(390);
  expect(sounds().length).toBeGreaterThanOrEqual(36);
});

test('a second device that is lost is silent, holds nothing up, and is heard again', () => {
  const { room, call, sounds, blocks } = pair();
  for (let block = 0; block < 100; block++) {
    call();
    room();
  }
  room(200);
  expect(blocks).toHaveLength(300);
  const before = sounds().length;
  for (let block = 0; block < 100; block++) {
    call();
    room();
  }
  expect(sounds().length - before).toBeGreaterThanOrEqual(9);
  expect(blocks).toHaveLength(400);
});

test('waiting audio is emitted at the end, and audio of another form is an error', () => {
  const { first$, second$, room, call, blocks, errors } = pair();
  call(3);
  room(3);
  first$.complete();
  expect(blocks).toHaveLength(3);
  expect(second$.observed).toBe(false);
  const other = pair();
  other.second$.next({ ...blockOf(0, new Float32Array(4)), channels: 2 });
  expect(other.errors).toMatchObject([
    { message: 'alongside() takes audio of one channel, and of one sample rate.' },
  ]);
  expect(errors).toEqual([]);
});
