import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playableAudio } from '../../../../src/replay/report/html/playableAudio.ts';
import { installScript } from '../../../helpers/childProcesses.ts';

const path = new URL('../../../../samples/not-ill-disposed.wav', import.meta.url).pathname;
const options = { signal: new AbortController().signal, maxBytes: 10_000_000 };

test('with ffmpeg the sound is small, reproducible Opus', { tags: 'tools' }, async () => {
  const { sound, peaks, missing } = await playableAudio(path, options);
  expect(sound!.type).toContain('opus');
  expect(Buffer.from(sound!.bytes).subarray(0, 4).toString()).toBe('OggS');
  expect(sound!.bytes.length).toBeLessThan(readFileSync(path).length / 5);
  expect(peaks!.max.length).toBeGreaterThan(1000);
  expect(missing).toBeNull();
  expect((await playableAudio(path, options)).sound).toEqual(sound);
});

test('without ffmpeg the sound is the WAV file', async () => {
  const { peaks } = await playableAudio(path, options);
  await using _none = await installScript('other', 'exit 0', { alone: true });
  const found = await playableAudio(path, options);
  expect(found.sound).toEqual({ type: 'audio/wav', bytes: readFileSync(path) });
  expect(found.peaks).toEqual(peaks);
  const small = await playableAudio(path, { ...options, maxBytes: 1000 });
  expect(small).toMatchObject({ sound: null, peaks, missing: expect.stringContaining('too large') });
});

test('an ffmpeg without Opus gives the reason', async () => {
  await using _broken = await installScript('ffmpeg', 'cat > /dev/null; echo no such encoder >&2; exit 1');
  expect((await playableAudio(path, options)).missing).toMatch(/no such encoder/);
});

test('a file that is not audio gives the reason', { tags: 'tools' }, async () => {
  const text = join(tmpdir(), `no-audio-${process.pid}`);
  await writeFile(text, 'no audio at all');
  expect((await playableAudio(text, options)).missing).toMatch(
    /^Cannot decode audio: the data is not audio, but looks like text/,
  );
});

test('an abort rejects with its reason', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(playableAudio(path, { ...options, signal })).rejects.toThrow('enough');
});
