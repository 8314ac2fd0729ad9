import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';

const LIBRARY = 'usr/lib/libpocketsphinx.so.3';
const MODEL = 'usr/share/pocketsphinx/model/en-us';
const MODEL_FILES = ['en-us/mdef', 'en-us.lm.bin', 'en-us-phone.lm.bin', 'cmudict-en-us.dict'];

async function treeOf(files: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'rxscribe-locate-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of files) {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), 'not what it seems');
  }
  return root;
}

const wholeTree = () => treeOf([LIBRARY, ...MODEL_FILES.map(file => join(MODEL, file))]);

describe('the recogniser is found', () => {
  it('in a tree laid out like a root file system', async () => {
    const root = await wholeTree();
    expect(await locatePocketSphinx({ roots: ['/nonexistent', root] })).toEqual({
      libraries: [join(root, LIBRARY)],
      model: {
        acousticModel: join(root, MODEL, 'en-us'),
        languageModel: join(root, MODEL, 'en-us.lm.bin'),
        dictionary: join(root, MODEL, 'cmudict-en-us.dict'),
      },
    });
  });

  it('in the first of two trees that has it, library and model each', async () => {
    const [libraryOnly, whole] = [await treeOf([LIBRARY]), await wholeTree()];
    const files = await locatePocketSphinx({ roots: [libraryOnly, whole] });
    expect(files.libraries).toEqual([join(libraryOnly, LIBRARY)]);
    expect(files.model.dictionary).toContain(whole);
  });

  it('with a model of one’s own before that of the system', async () => {
    const [root, model] = [await wholeTree(), await treeOf(['mdef', 'my.lm.bin', 'my.dict'])];
    const files = await locatePocketSphinx({ roots: [root], modelDirectory: model });
    expect(files.model).toEqual({
      acousticModel: model,
      languageModel: join(model, 'my.lm.bin'),
      dictionary: join(model, 'my.dict'),
    });
  });

  it.each([
    [
      'the library',
      MODEL_FILES.map(file => join(MODEL, file)),
      /libpocketsphinx\.so\.3.*doctor --fix.*apt-get/,
    ],
    ['the model', [LIBRARY], /model pocketsphinx-en-us.*doctor --fix.*apt-get/],
  ])('or the command that brings %s is named', async (_, files, message) => {
    const failure = locatePocketSphinx({ roots: [await treeOf(files)] });
    await expect(failure).rejects.toMatchObject({ code: 'engine-missing' });
    await expect(failure).rejects.toThrow(message);
  });

  it('but not in a model directory that lacks a part', async () => {
    const model = await treeOf(['en-us/mdef', 'en-us.lm.bin']);
    const failure = locatePocketSphinx({ roots: [await wholeTree()], modelDirectory: model });
    await expect(failure).rejects.toMatchObject({ code: 'engine-missing' });
  });
});

describe('what cannot be loaded fails in words', () => {
  it('when the library is not one', async () => {
    await using recognizer = createPocketSphinxRecognizer({ roots: [await wholeTree()], maxSessions: 1 });
    for (let attempt = 0; attempt < 2; attempt++) {
      const failure = recognizer.open();
      await expect(failure).rejects.toMatchObject({ code: 'engine-failed' });
      await expect(failure).rejects.toThrow(/libpocketsphinx\.so\.3 cannot be used/);
    }
    await expect(recognizer.warm()).rejects.toMatchObject({ code: 'engine-failed' });
  });

  it('when the model is not one', async context => {
    await skipWithoutRecognizer(context);
    const modelDirectory = await treeOf(MODEL_FILES);
    await using recognizer = createPocketSphinxRecognizer({ modelDirectory });
    const failure = await recognizer.open().catch(error => error);
    expect(failure).toMatchObject({ code: 'engine-failed' });
    expect(failure.message).toContain('mdef');
  });

  it('when a part of the model is missing', async context => {
    await skipWithoutRecognizer(context);
    const { model } = await locatePocketSphinx();
    const modelDirectory = await treeOf(['en-us.lm.bin']);
    await symlink(model.acousticModel, join(modelDirectory, 'en-us'));
    await symlink(model.dictionary, join(modelDirectory, 'en-us.dict'));
    await using recognizer = createPocketSphinxRecognizer({ modelDirectory });
    await expect(recognizer.open()).rejects.toMatchObject({ code: 'engine-failed' });
  });
});

async function skipWithoutRecognizer(context: TestContext): Promise<void> {
  await locatePocketSphinx().catch(() => context.skip('needs the recogniser: npm run setup'));
}
