// @module-tag tools

import { copyFile, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import type { Recognizer } from '../../../src/engines/recognizer.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needsRecognizer } from '../../helpers/needs.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { hear, listen } from '../recognizerContract.ts';
import { embeddedFiles } from './embeddedFiles.ts';
import { decoders, finalsOf, moonshine } from './moonshine.ts';

const sentence = readSampleSpeech('not-ill-disposed');
const FILES = ['encoder_model.onnx', 'decoder_model_merged.onnx'] as const;

/** A copy of the model, which may be damaged. */
async function copiedModel(context: TestContext): Promise<ModelDirectory> {
  await needsRecognizer(context);
  const files = await embeddedFiles('tiny');
  const path = await temporaryDirectory();
  const [encoder, decoder] = FILES.map(name => join(path, name)) as [string, string];
  await copyFile(files.encoder, encoder);
  await copyFile(files.decoder, decoder);
  return { kind: 'moonshine', roles: ['recognizer'], path, files: { encoder, decoder } };
}

/** Breaks one of the files of a model. */
type Damage = (path: string, other: string) => Promise<void>;

const damages: Readonly<Record<string, Damage>> = {
  'is cut off': path => truncate(path, 5_000_000),
  'is cut off near its beginning': path => truncate(path, 100),
  'is empty': path => truncate(path, 0),
  'is a page of a proxy': path => writeFile(path, '<html><body>Sign in</body></html>'),
  'has other bytes in its midst': async path => {
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at += 100_000) bytes.fill(0xff, at, at + 500);
    await writeFile(path, bytes);
  },
  'is the other file': (path, other) => copyFile(other, path),
  'is absent': path => rm(path),
  'is a directory': async path => {
    await rm(path);
    await symlink('.', path);
  },
};

const cases = Object.entries(damages).flatMap(([how, damage]) =>
  (['encoder', 'decoder'] as const).map(file => ({ file, how, damage })),
);
/** An encoder that can be loaded is not known to be a wrong one before it is used. */
const loads = ({ file, how }: (typeof cases)[number]) => file === 'encoder' && how === 'is the other file';

const refusal = {
  code: expect.stringMatching(/^engine-(failed|missing)$/),
  message: expect.stringMatching(/.{20,}/),
};

async function recognizerOf(
  { file, damage }: (typeof cases)[number],
  context: TestContext,
): Promise<Recognizer> {
  const model = await copiedModel(context);
  const { encoder, decoder } = model.files;
  if (file === 'encoder') await damage(encoder!, decoder!);
  else await damage(decoder!, encoder!);
  return createMoonshineRecognizer({ model, processes: 1 });
}

describe('a model with a damaged file', { timeout: 120_000 }, () => {
  it.for(cases)('fails its users with a reason: its $file $how', async (damaged, context) => {
    const recognizer = await recognizerOf(damaged, context);
    await expect(recognizer.recognize([sentence])).rejects.toMatchObject(refusal);
    await expect(hear(recognizer, sentence)).rejects.toMatchObject(refusal);
    await recognizer.close();
    await eventually(() => expect(decoders()).toEqual([]));
  });

  it.for(cases.filter(damaged => !loads(damaged)))(
    'is rejected before any audio, and holds no process: its $file $how',
    async (damaged, context) => {
      await using recognizer = await recognizerOf(damaged, context);
      await expect(recognizer.warm()).rejects.toMatchObject(refusal);
      await expect(recognizer.open()).rejects.toMatchObject(refusal);
      await eventually(() => expect(decoders()).toEqual([]));
    },
  );

  it('is rejected in the words of the engine, and none of its processes outlives it', async context => {
    const { files, ...model } = await copiedModel(context);
    await truncate(files.encoder!, 0);
    await using recognizer = createMoonshineRecognizer({ model: { ...model, files }, processes: 1 });
    const message = await recognizer.open().catch(({ message }) => message);
    await recognizer.close();
    expect(decoders()).toEqual([]);
    expect(message).toMatch(/Moonshine|recognise speech/);
  });

  it('works as soon as it is repaired', async context => {
    const model = await copiedModel(context);
    const whole = await readFile(model.files.decoder!);
    await truncate(model.files.decoder!, 1_000_000);
    await using recognizer = createMoonshineRecognizer({ model, processes: 1 });
    await expect(recognizer.open()).rejects.toMatchObject({ code: 'engine-failed' });
    await writeFile(model.files.decoder!, whole);
    expect(finalsOf(await hear(recognizer, sentence))).toHaveLength(1);
  });

  it('fails the sessions that need it again, with the reason, and leaves none waiting', async context => {
    const model = await copiedModel(context);
    await using recognizer = createMoonshineRecognizer({ model, processes: 1 });
    await using session = await recognizer.open();
    const { ended } = listen(session);
    await truncate(model.files.encoder!, 1000);
    for (const pid of decoders()) process.kill(pid, 'SIGKILL');
    await session.write(joined(sentence, silence(1))).catch(() => {});
    await expect(session.finish()).rejects.toMatchObject({ code: 'engine-failed' });
    await expect(ended).rejects.toMatchObject({ code: 'engine-failed' });
    await session.close();
    await expect(recognizer.recognize([sentence])).rejects.toMatchObject({ code: 'engine-failed' });
  });
});

describe('a native library', { timeout: 120_000 }, () => {
  it('that is invalid is named in the error', async () => {
    const { createNativeRuntime } = await import('../../../src/engines/moonshine/nativeRuntime.ts');
    const path = join(await temporaryDirectory(), 'libonnxruntime.so');
    expect(() => createNativeRuntime(path)).toThrow(path);
    await writeFile(path, 'no library');
    try {
      createNativeRuntime(path);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'engine-missing', message: expect.stringContaining(path) });
    }
  });
});

describe('a whole recording', { timeout: 120_000 }, () => {
  it('is abandoned with the error of the audio', async context => {
    const recognizer = await moonshine(context);
    async function* broken() {
      yield sentence;
      throw new Error('the audio broke off');
    }
    await expect(recognizer.recognize(broken())).rejects.toThrow('the audio broke off');
    expect(finalsOf(await hear(recognizer, sentence))).toHaveLength(1);
  });
});
