import { PassThrough, Readable } from 'node:stream';
import { lastValueFrom, take, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { AudioLevel } from '../../../src/audio/level.ts';
import type { SourceStatus } from '../../../src/audio/source/reconnecting.ts';
import { type LiveAudioOptions, liveAudio } from '../../../src/cli/live/liveAudio.ts';
import { installScript } from '../../helpers/childProcesses.ts';

function options(more: Partial<LiveAudioOptions> = {}): LiveAudioOptions {
  return {
    stdin: Readable.from([]),
    rate: 16_000,
    channels: 1,
    speed: 'max',
    onWarning: () => {},
    progress: { show: () => {}, hide: () => {} },
    onFailure: () => {},
    ...more,
  };
}

test('the level of each block of 100 ms is reported', async () => {
  const levels: AudioLevel[] = [];
  const input = { kind: 'file', path: 'samples/not-ill-disposed.wav' } as const;
  const audio$ = liveAudio(input, options({ onLevel: level => levels.push(level) }));
  const blocks = await lastValueFrom(audio$.pipe(toArray()));
  expect(levels).toHaveLength(blocks.length);
  expect(Math.max(...levels.map(({ peakDb }) => peakDb))).toBeGreaterThan(-20);
});

test('two microphones at once are lost and back each by itself', async () => {
  await using _script = await installScript(
    'arecord',
    `if [ "$2" = first ]; then head -c 32000 /dev/urandom; exit 1; fi
     while true; do head -c 3200 /dev/urandom; sleep 0.1; done`,
  );
  const listen = async (device: string, blocks: number) => {
    const statuses: SourceStatus[] = [];
    const audio$ = liveAudio(
      { kind: 'microphone', device },
      options({ stdin: new PassThrough(), onStatus: status => statuses.push(status) }),
    );
    await lastValueFrom(audio$.pipe(take(blocks)));
    return statuses.map(({ type }) => type);
  };
  const [first, second] = await Promise.all([listen('first', 15), listen('second', 5)]);
  expect(first.slice(0, 2)).toEqual(['lost', 'back']);
  expect(second).toEqual([]);
});
