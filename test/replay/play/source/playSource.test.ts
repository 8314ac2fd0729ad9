import { lastValueFrom, map, take, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { type AudioBlock, framesOf } from '../../../../src/audio/format/format.ts';
import { createGate } from '../../../../src/flow/gate.ts';
import type { Cassette } from '../../../../src/replay/cassette/cassette.ts';
import { playSource } from '../../../../src/replay/play/source/playSource.ts';
import { inVirtualTime } from '../../../../src/replay/time/inVirtualTime.ts';
import { madeCassette } from '../../../helpers/madeCassette.ts';

const CASSETTE = madeCassette({ seconds: 2 });

const all = (cassette: Cassette): Promise<AudioBlock[]> =>
  lastValueFrom(playSource(cassette).pipe(toArray()));
/** First frames and lengths of blocks. */
const spans = (blocks: readonly AudioBlock[]) =>
  blocks.map(block => `${block.startFrame}+${framesOf(block)}`).join(' ');
const samples = (blocks: readonly AudioBlock[]) => blocks.flatMap(block => [...block.samples]);

/** Returns the times of the blocks of a cassette, in milliseconds. */
const timesOf = (cassette: Cassette, speed: number) =>
  inVirtualTime(clock =>
    lastValueFrom(
      playSource(cassette, { speed, clock }).pipe(
        map(() => clock.now()),
        toArray(),
      ),
    ),
  );

describe('the audio of a cassette as a source', () => {
  test('comes in the recorded blocks', async () => {
    const ends = [100, 300, 8000, 16_000];
    const lines = [
      ...CASSETTE.lines.filter(({ type }) => type !== 'block'),
      ...ends.map(frame => ({ type: 'block' as const, ms: 0, frame })),
    ];
    const blocks = await all({ ...CASSETTE, lines });
    expect(spans(blocks)).toBe('0+100 100+200 300+7700 8000+8000');
    expect(samples(blocks)).toEqual(samples(await all(CASSETTE)));
  });

  test('has the gaps of its source', async () => {
    const gaps = [
      { startFrame: 0, frames: 800 },
      { startFrame: 8000, frames: 1600 },
    ];
    const frames = [1600, 8000, 10_400, 16_000];
    const lines = [
      ...CASSETTE.lines.filter(({ type }) => type !== 'block'),
      ...frames.map(frame => ({ type: 'block' as const, ms: 0, frame })),
    ];
    const audio = { ...CASSETTE.audio!, gaps };
    const blocks = await all({ ...CASSETTE, lines, audio });
    expect(spans(blocks)).toBe('800+800 1600+6400 9600+800 10400+5600');
    const [whole] = [samples(await all(CASSETTE))];
    expect(samples(blocks)).toEqual([...whole.slice(800, 8000), ...whole.slice(9600)]);
  });

  test.each([1, 2.5])('comes at speed %s when its last frame is due', async speed => {
    const times = await timesOf(CASSETTE, speed);
    expect(times).toHaveLength(20);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(((index + 1) * 100) / speed, 6);
  });

  test('pauses where a live source paused, and is paced by time for any other source', async () => {
    const changed = (change: (ms: number) => number) => ({
      ...CASSETTE,
      lines: CASSETTE.lines.map(line => (line.type === 'block' ? { ...line, ms: change(line.ms) } : line)),
    });
    const spoken = Array.from({ length: 20 }, (_, n) => (n + 1) * 50);
    // The clock of the recording began earlier; 3 s are missing after the tenth block.
    expect(
      await timesOf(
        changed(ms => 700 + ms + (ms > 1000 ? 3000 : 0)),
        2,
      ),
    ).toEqual(spoken.map(ms => (ms > 500 ? ms + 1500 : ms)));
    expect(
      await timesOf(
        changed(ms => ms / 10),
        2,
      ),
    ).toEqual(spoken);
  });

  test('waits at a gate', async () => {
    const gate = createGate();
    const release = gate.hold();
    const blocks: AudioBlock[] = [];
    const done = playSource(CASSETTE, { gate }).forEach(block => {
      blocks.push(block);
    });
    await new Promise(resolve => setImmediate(resolve));
    expect(blocks).toEqual([]);
    release();
    await done;
    expect(blocks).toHaveLength(20);
  });

  test('is read again for each subscriber, and only on demand', async () => {
    let pieces = 0;
    const audio = {
      ...CASSETTE.audio!,
      async *bytes() {
        for await (const piece of CASSETTE.audio!.bytes()) {
          pieces++;
          yield piece;
        }
      },
    };
    const source = playSource({ ...CASSETTE, audio });
    expect(await lastValueFrom(source.pipe(take(1), toArray()))).toHaveLength(1);
    // The header, and the first piece of samples.
    expect(pieces).toBe(2);
    expect(await lastValueFrom(source.pipe(toArray()))).toHaveLength(20);
  });

  test('is an error when it is missing, or the speed is invalid', async () => {
    const { audio: _, ...without } = CASSETTE;
    await expect(all(without)).rejects.toMatchObject({ code: 'audio-missing' });
    expect(() => playSource(CASSETTE, { speed: 0 })).toThrow('speed');
  });
});

test('a source that is unsubscribed early closes its files', async () => {
  let isOpen = false;
  const audio = {
    ...CASSETTE.audio!,
    async *bytes() {
      isOpen = true;
      try {
        yield* CASSETTE.audio!.bytes();
      } finally {
        isOpen = false;
      }
    },
  };
  await lastValueFrom(playSource({ ...CASSETTE, audio }).pipe(take(1)));
  await expect.poll(() => isOpen).toBe(false);
});
