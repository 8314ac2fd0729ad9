// @module-tag slow

import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LanguageIdentifier } from '../../../src/engines/languageIdentifier.ts';
import { createWhisperIdentifier } from '../../../src/engines/onnx/whisperIdentifier.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { languageIdentifierContract } from '../languageIdentifierContract.ts';
import { type WhisperLayout, type WhisperModelOptions, whisperModel } from './whisperModel.ts';

const SPEECH = readSampleSpeech('sense-and-sensibility').subarray(0, 10 * 16_000);

/** Speech with a tone of 5 kHz, which the voice detector does not hear. */
const WITH_TONE = SPEECH.map((sample, at) => sample / 4 + 8000 * Math.sin((at * 2 * Math.PI * 5) / 16));

/** One for each test of the contract: they close what they were given. */
const ready: LanguageIdentifier[] = [];
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-test-'));
  const model = await whisperModel({ layout: 'sherpa-onnx', path: directory });
  for (let made = 0; made < 7; made++) ready.push(await createWhisperIdentifier({ model }));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

languageIdentifierContract('Whisper', {
  create: () => ready.pop()!,
  speech: () => SPEECH,
  language: 'en',
});

async function open(options: WhisperModelOptions): Promise<LanguageIdentifier> {
  const identifier = await createWhisperIdentifier({ model: await whisperModel(options) });
  onTestFinished(() => identifier.close());
  return identifier;
}

const sumOf = (heard: readonly { readonly confidence: number }[]) =>
  heard.reduce((sum, { confidence }) => sum + confidence, 0);

describe('Whisper identifies languages', { timeout: 120_000 }, () => {
  const LAYOUTS: readonly WhisperLayout[] = ['sherpa-onnx', 'Hugging Face', 'Hugging Face, merged'];
  test.for(LAYOUTS)('in the layout of %s', async layout => {
    const identifier = await open({ layout });
    expect(identifier.languages).toEqual(['en', 'de', 'jv']);
    const plain = await identifier.identify([SPEECH]);
    const toned = await identifier.identify([WITH_TONE]);
    expect(plain.map(({ language }) => language)).toEqual(['en', 'de', 'jv']);
    expect(toned.map(({ language }) => language)).toEqual(['de', 'en', 'jv']);
    expect(plain[0]!.confidence).toBeGreaterThan(0.5);
    expect(toned[0]!.confidence).toBeGreaterThan(0.5);
  });

  test('with 128 bands, too', async () => {
    const identifier = await open({ layout: 'Hugging Face', bands: 128 });
    expect((await identifier.identify([WITH_TONE]))[0]!.language).toBe('de');
  });

  test('with less confidence when the model finds no speech', async () => {
    const loud = await (await open({ layout: 'sherpa-onnx' })).identify([SPEECH]);
    const quiet = await (await open({ layout: 'sherpa-onnx', noSpeech: 200 })).identify([SPEECH]);
    expect(sumOf(quiet)).toBeLessThan(0.01);
    expect(sumOf(loud)).toBeLessThanOrEqual(1);
    expect(quiet[0]!.language).toBe('en');
  });

  test('with less confidence with little speech, and not at all without', async () => {
    const identifier = await open({ layout: 'sherpa-onnx' });
    const whole = await identifier.identify([SPEECH]);
    const little = await identifier.identify([silence(8), SPEECH.subarray(0, 16_000), silence(8)]);
    expect(sumOf(little)).toBeGreaterThan(0);
    expect(sumOf(little)).toBeLessThan(0.5 * sumOf(whole));
    expect(await identifier.identify([silence(20)])).toEqual([]);
  });

  test('from all of a minute and a half, each part by its duration', async () => {
    const identifier = await open({ layout: 'sherpa-onnx' });
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
    const identifier = await open({ layout: 'sherpa-onnx' });
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
    const model = await whisperModel({ layout: 'sherpa-onnx', metadata: { is_multilingual: 0 } });
    await expect(createWhisperIdentifier({ model })).rejects.toMatchObject(
      errorLike('engine-missing', 'it is a Whisper model for English only'),
    );
  });

  test('when its configuration has no numbers', async () => {
    const model = await whisperModel({ layout: 'Hugging Face' });
    await writeFile(model.files.config!, '{}');
    await expect(createWhisperIdentifier({ model })).rejects.toMatchObject({ code: 'engine-missing' });
  });

  test('when the model is of another kind', async () => {
    const model = { ...(await whisperModel({ layout: 'sherpa-onnx' })), kind: 'punctuation' as const };
    await expect(createWhisperIdentifier({ model })).rejects.toThrow(
      "it is of kind 'punctuation', not 'whisper'",
    );
  });

  test.for(['encoder', 'decoder'] as const)('when its %s is truncated, on first use', async which => {
    const model = await whisperModel({ layout: 'Hugging Face' });
    await truncate(model.files[which]!, 200);
    const identifier = await createWhisperIdentifier({ model });
    onTestFinished(() => identifier.close());
    await expect(identifier.identify([SPEECH])).rejects.toMatchObject(
      errorLike('engine-failed', model.files[which]!),
    );
  });

  test('when its decoder is that of another model', async () => {
    const model = await whisperModel({ layout: 'Hugging Face' });
    const other = await whisperModel({ layout: 'sherpa-onnx' });
    const files = { ...model.files, decoder: other.files.decoder! };
    const identifier = await createWhisperIdentifier({ model: { ...model, files } });
    onTestFinished(() => identifier.close());
    await expect(identifier.identify([SPEECH])).rejects.toThrow(
      'the inputs of its decoder are not supported (tokens, ',
    );
  });
});
