import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AudioContentType, parseContentType } from '../../../src/audio/format/contentType.ts';
import { BYTES_PER_SAMPLE, type SampleFormat } from '../../../src/audio/format/format.ts';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { recognizerAudio } from '../../../src/service/live/audioInput.ts';

const FORMATS = Object.keys(BYTES_PER_SAMPLE) as SampleFormat[];
const SPEECH = readFileSync(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));

async function decode(
  messages: readonly Uint8Array[],
  contentType: AudioContentType | string,
  sliceBytes = 1000,
): Promise<Int16Array> {
  async function* source() {
    yield* messages;
  }
  const audio = recognizerAudio(
    source(),
    typeof contentType === 'string' ? parseContentType(contentType) : contentType,
    { sampleRate: 16_000, sliceBytes, signal: new AbortController().signal, onWarning: () => {} },
  );
  const samples: number[] = [];
  for await (const block of audio) samples.push(...block);
  return Int16Array.from(samples);
}

/** Splits bytes at given positions. */
function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

/** Returns two interleaved channels of a slow wave, whose mean is the wave. */
function stereoWave(frames: number): Float32Array {
  const samples = new Float32Array(frames * 2);
  for (let frame = 0; frame < frames; frame++) {
    const value = Math.sin(frame / 20) / 4;
    samples[frame * 2] = value + 0.125;
    samples[frame * 2 + 1] = value - 0.125;
  }
  return samples;
}

function planar(samples: Float32Array): Float32Array {
  const frames = samples.length / 2;
  return Float32Array.from({ length: samples.length }, (_, i) =>
    i < frames ? samples[i * 2]! : samples[(i - frames) * 2 + 1]!,
  );
}

describe.each(FORMATS)('%s', sampleFormat => {
  const wave = stereoWave(2000);
  const type = (layout: string) =>
    `audio/x-raw;layout=${layout};rate=16000;format=${sampleFormat};channels=2`;
  const expected = Float32Array.from({ length: 2000 }, (_, frame) => Math.sin(frame / 20) / 4);

  function expectWave(samples: Int16Array): void {
    expect(samples.length).toBe(expected.length);
    const worst = Math.max(...samples.map((sample, i) => Math.abs(sample / 32768 - expected[i]!)));
    expect(worst).toBeLessThan({ U8: 0.01, MULAW: 0.01, ALAW: 0.01 }[sampleFormat as string] ?? 0.0001);
  }

  test('becomes mono at the rate of the recogniser', async () => {
    expectWave(await decode([encodePcm(wave, sampleFormat)], type('interleaved')));
  });

  test('has the same result in planar messages of any size', async () => {
    const messages = [0, 30, 100, 2000].map((frame, i, all) => {
      const rows = wave.subarray(frame * 2, (all[i + 1] ?? 2000) * 2);
      return encodePcm(planar(rows), sampleFormat);
    });
    expectWave(await decode(messages, type('non-interleaved'), 64));
  });

  test('does not depend on how it is split', async () => {
    const bytes = encodePcm(wave, sampleFormat);
    const whole = await decode([bytes], type('interleaved'), 1_000_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 500 }),
        async (cuts, slice) => {
          expect(await decode(cutAt(bytes, cuts), type('interleaved'), slice)).toEqual(whole);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('audio of a client', () => {
  test('of another rate is resampled, and lasts as long', async () => {
    const bytes = encodePcm(new Float32Array(44_100), 'S16LE');
    const type = 'audio/x-raw;layout=interleaved;rate=44100;format=S16LE;channels=1';
    expect((await decode([bytes], type)).length).toBe(16_000);
  });

  test('may end in the middle of a frame, or of a message of several channels', async () => {
    const type = 'audio/x-raw;layout=interleaved;rate=16000;format=S24LE;channels=3';
    expect((await decode([new Uint8Array(9 * 100 + 5)], type)).length).toBe(100);
    const ragged = [new Uint8Array(9 * 100 + 5), new Uint8Array(3), new Uint8Array(9)];
    expect((await decode(ragged, type.replace('interleaved', 'non-interleaved'))).length).toBe(101);
  });

  test('is read from WAV, whatever the cuts', async () => {
    const whole = await decode([SPEECH], 'audio/x-wav');
    expect(whole.length).toBeGreaterThan(16_000);
    expect(await decode(cutAt(SPEECH, [1, 10, 43, 45, 5001, 9999]), 'audio/x-wav', 7777)).toEqual(whole);
    expect(await decode([SPEECH], 'audio/*')).toEqual(whole);
  });

  test('may be empty', async () => {
    expect((await decode([], 'audio/x-raw;layout=interleaved;rate=16000;format=U8;channels=1')).length).toBe(
      0,
    );
    await expect(decode([], 'audio/x-wav')).rejects.toMatchObject({ code: 'audio-empty' });
  });
});
