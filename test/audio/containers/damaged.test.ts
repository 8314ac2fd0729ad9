import { describe, expect, test } from 'vitest';
import { type Random, seeded } from '../../../src/base/seeded.ts';
import { cutBytes, RECORDINGS, readNatively, recordingBytes } from '../../helpers/nativeAudio.ts';

/** Damaged files that the slow test reads. */
const DAMAGED = Number(process.env.RXSCRIBE_DAMAGED ?? 3000);

const ERRORS = ['audio-corrupt', 'audio-empty', 'audio-unsupported', 'program-missing'];

const below = (random: Random, limit: number) => Math.floor(random() * limit);

/** Returns bytes with one to four kinds of damage at random places. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Uint8Array.from(bytes);
  for (let count = 1 + below(random, 4); count > 0; count--) {
    const at = below(random, result.length);
    const length = 1 + below(random, random() < 0.5 ? 8 : 2000);
    const kind = below(random, 6);
    if (kind === 0) for (let i = 0; i < length; i++) result[at + i] = below(random, 256);
    else if (kind === 1) result.subarray(at, at + length).fill(random() < 0.5 ? 0 : 255);
    else if (kind === 2) result[at]! ^= 1 << below(random, 8);
    else if (kind === 3) result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
    else if (kind === 4) result = Buffer.concat([result.subarray(0, at + length), result.subarray(at)]);
    // Headers are small, and few random places would be in them.
    else result[below(random, Math.min(200, result.length))] = below(random, 256);
  }
  return result;
}

async function readDamaged(seed: number): Promise<void> {
  const random = seeded(seed);
  const name = RECORDINGS[seed % RECORDINGS.length]!;
  const bytes = damaged(recordingBytes(name), random);
  const pieces = cutBytes(bytes, () => 1 + below(random, 5000));
  const { error, samples, channels, sampleRate, warnings } = await readNatively(pieces);
  const label = `${name}, seed ${seed}`;
  if (error) expect(ERRORS, label).toContain(error);
  else expect(samples.length, label).toBeGreaterThan(0);
  // No more than a header of another rate could make of a file of 2 s.
  expect(samples.length, label).toBeLessThan(3_000_000);
  if (samples.length > 0) expect(samples.length % channels, label).toBe(0);
  if (samples.length > 0) expect(sampleRate, label).toBeGreaterThan(0);
  expect(samples.every(Number.isFinite), label).toBe(true);
  expect(new Set(warnings).size, label).toBe(warnings.length);
}

describe.each(RECORDINGS)('%s', name => {
  const bytes = recordingBytes(name);

  test('gives the same samples however its bytes are cut', async () => {
    const { samples: whole } = await readNatively([bytes]);
    const random = seeded(bytes.length);
    for (const next of [() => 1, () => 7, () => 97, () => 1000, () => 1 + below(random, 9000)]) {
      const { samples, warnings } = await readNatively(cutBytes(bytes, next));
      expect(samples).toEqual(whole);
      expect(warnings).toEqual([]);
    }
  });

  test('that is truncated gives the samples before its end', async () => {
    const { samples: whole } = await readNatively([bytes]);
    const random = seeded(bytes.length);
    let read = 0;
    for (let i = 0; i < 12; i++) {
      const end = i < 2 ? i + 1 : below(random, bytes.length);
      const { samples, error } = await readNatively([bytes.subarray(0, end)]);
      if (error) expect(ERRORS).toContain(error);
      const common = Math.min(samples.length, whole.length);
      expect(samples.subarray(0, common)).toEqual(whole.subarray(0, common));
      read += common;
    }
    expect(read).toBeGreaterThan(whole.length / 2);
  });
});

test('100 damaged files are read as far as they go, or refused', async () => {
  for (let seed = 0; seed < 100; seed++) await readDamaged(seed);
});

test(`${DAMAGED} damaged files need no more memory than a few`, {
  tags: 'slow',
  timeout: 7_200_000,
}, async () => {
  let early = 0;
  for (let seed = 1000; seed < 1000 + DAMAGED; seed++) {
    await readDamaged(seed);
    if (seed === 1500) early = process.memoryUsage.rss();
    if (seed % 10_000 === 0) console.info(`${seed}: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
  }
  expect(process.memoryUsage.rss() - early).toBeLessThan(400_000_000);
});
