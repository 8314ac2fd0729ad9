// @module-tag slow

import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LanguageIdentifier } from '../../../src/engines/languageIdentifier.ts';
import { createWhisperIdentifier } from '../../../src/engines/sherpa/whisperIdentifier.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { languageIdentifierContract } from '../languageIdentifierContract.ts';
import { type WhisperModelOptions, whisperModel } from './whisperLanguageModel.ts';

const SPEECH = readSampleSpeech('sense-and-sensibility').subarray(0, 10 * 16_000);

/** Speech with a tone of 5 kHz, which the voice detector does not hear. */
const WITH_TONE = SPEECH.map((sample, at) => sample / 4 + 8000 * Math.sin((at * 2 * Math.PI * 5) / 16));

/** One for each test of the contract: they close what they were given. */
const ready: LanguageIdentifier[] = [];
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-test-'));
  const model = await whisperModel({ path: directory });
  for (let made = 0; made < 7; made++) ready.push(await createWhisperIdentifier({ model }));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

languageIdentifierContract('Whisper', {
  create: () => ready.pop()!,
  speech: () => SPEECH,
  language: 'en',
});

async function open(options: WhisperModelOptions = {}): Promise<LanguageIdentifier> {
  const identifier = await createWhisperIdentifier({ model: await whisperModel(options) });
  onTestFinished(() => identifier.close());
  return identifier;
}

const sumOf = (heard: readonly { readonly confidence: number }[]) =>
  heard.reduce((sum, { confidence }) => sum + confidence, 0);

describe('Whisper identifies languages', { timeout: 120_000 }, () => {
  test('by the pitch of the sound, for this model', async () => {
    const identifier = await open();
    expect(identifier.languages).toEqual(['en', 'de', 'jv']);
    expect(await identifier.identify([SPEECH])).toEqual([{ language: 'en', confidence: 1 }]);
    expect(await identifier.identify([WITH_TONE])).toEqual([{ language: 'de', confidence: 1 }]);
  });

  test('with less confidence with little speech, and not at all without', async () => {
    const identifier = await open();
    const whole = await identifier.identify([SPEECH]);
    const little = await identifier.identify([silence(8), SPEECH.subarray(0, 16_000), silence(8)]);
    expect(sumOf(little)).toBeGreaterThan(0);
    expect(sumOf(little)).toBeLessThan(0.5 * sumOf(whole));
    expect(await identifier.identify([silence(20)])).toEqual([]);
  });

  test('from all of a minute and a half, each part by its duration', async () => {
    const identifier = await open();
    const parts = (plain: number, toned: number) => [
      ...Array.from({ length: plain }, () => SPEECH),
      ...Array.from({ length: toned }, () => WITH_TONE),
    ];
    const late = await identifier.identify(parts(3, 6));
    expect(late[0]!.language).toBe('de');
    const early = await identifier.identify(parts(6, 3));
    expect(early[0]!.language).toBe('en');
    expect(early[1]!.language).toBe('de');
    expect(early[1]!.confidence).toBeGreaterThan(0.1);
    expect(sumOf(early)).toBeLessThanOrEqual(1 + 1e-9);
  });

  test('without reading more than 90 s of speech', async () => {
    const identifier = await open();
    let read = 0;
    const endless = function* () {
      for (;;) {
        read += SPEECH.length;
        yield SPEECH;
      }
    };
    expect((await identifier.identify(endless()))[0]!.language).toBe('en');
    expect(read / 16_000).toBeLessThan(150);
  });
});

describe('Whisper is rejected', { timeout: 120_000 }, () => {
  test('when it supports only English', async () => {
    const model = await whisperModel({ metadata: { is_multilingual: 0 } });
    await expect(createWhisperIdentifier({ model })).rejects.toMatchObject(
      errorLike('engine-missing', 'it is a Whisper model for English only'),
    );
  });

  test('when the model is of another kind', async () => {
    const model = { ...(await whisperModel()), kind: 'silero-vad' as const };
    await expect(createWhisperIdentifier({ model })).rejects.toThrow(
      "it is of kind 'silero-vad', not 'whisper'",
    );
  });

  test.for(['encoder', 'decoder'] as const)('when its %s is truncated, on first use', async which => {
    const model = await whisperModel();
    const identifier = await createWhisperIdentifier({ model });
    onTestFinished(() => identifier.close());
    await truncate(model.files[which]!, 200);
    await expect(identifier.identify([SPEECH])).rejects.toMatchObject({ code: 'engine-failed' });
  });

  test('when its metadata lacks a number, on first use', async () => {
    const model = await whisperModel({ metadata: { n_text_ctx: 'none' } });
    const identifier = await createWhisperIdentifier({ model });
    onTestFinished(() => identifier.close());
    await expect(identifier.identify([SPEECH])).rejects.toMatchObject({ code: 'engine-failed' });
  });
});
