// @module-tag slow

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { Punctuator, SpokenUtterance } from '../../../src/engines/punctuator.ts';
import { createSherpaPunctuator } from '../../../src/engines/sherpa/punctuator.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { modelFiles } from '../../helpers/toneModels.ts';
import { punctuatorContract } from '../punctuatorContract.ts';
import {
  bpeVocabulary,
  ctTransformerModel,
  onlinePunctuationModel,
  type WordHabit,
} from './punctuationModels.ts';

const HABITS: readonly WordHabit[] = [
  { word: 'well', mark: ',' },
  ...['how', 'are', 'i', 'work', 'at', 'for', '你', '们'].map(word => ({ word })),
  { word: 'you', mark: '?' },
  { word: 'nasa', capitals: 1, mark: '.' },
  { word: 'paris', capitals: 2 },
  { word: '好', mark: ',' },
];
const online = {
  'model.onnx': onnxModel(onlinePunctuationModel(HABITS)),
  'bpe.vocab': bpeVocabulary(HABITS),
};
const chinese = { 'model.onnx': onnxModel(ctTransformerModel(HABITS)) };

async function create(files: Readonly<Record<string, Buffer | string>> = online): Promise<Punctuator> {
  const directory = await modelFiles(files);
  const punctuator = createSherpaPunctuator(await inspectModel(directory.path));
  onTestFinished(async () => {
    await punctuator.close();
    await directory[Symbol.asyncDispose]();
  });
  return punctuator;
}

const wordsOf = (text: string) => text.split(' ').map(value => ({ value }));
const processes = () => childrenWith('sherpa/child');

async function written(punctuator: Punctuator, text: string, rest: Partial<SpokenUtterance> = {}) {
  const words = await punctuator.punctuate({ words: wordsOf(text), ...rest });
  return words.map(({ value, mark }) => value + mark).join(' ');
}

const contractFiles = await modelFiles(online);
afterAll(() => contractFiles[Symbol.asyncDispose]());
punctuatorContract('an online model of sherpa-onnx', {
  create: async () => createSherpaPunctuator(await inspectModel(contractFiles.path)),
});

describe('punctuation by a model of sherpa-onnx', { timeout: 120_000 }, () => {
  it('has marks and capitals of an online model', async () => {
    const punctuator = await create();
    expect(punctuator.languages).toEqual(['en']);
    expect(await written(punctuator, 'well how are you how i work at nasa how')).toBe(
      'Well, how are you? How i work at NASA. How',
    );
  });

  it('has marks of a CT-transformer, and the capitals that always stand', async () => {
    const punctuator = await create(chinese);
    expect(punctuator.languages).toEqual(['zh', 'en']);
    const text = 'well how are you how i work at nasa how are';
    expect(await written(punctuator, text)).toBe('Well, how are you? How I work at nasa. How are.');
    expect(await written(punctuator, '你们 好 你 们')).toBe('你们 好, 你 们.');
  });

  it('keeps words that no model knows', async () => {
    for (const punctuator of [await create(), await create(chinese)]) {
      const words = ["don't", 'e-mail', 'héllo', '3.5', 'x'.repeat(5000), '👩‍🚀', 'ok'];
      const strange = await punctuator.punctuate({ words: words.map(value => ({ value })), before: ['at'] });
      expect(strange.map(({ value }) => value)).toEqual(words);
    }
  });

  it('ends a sentence when nothing follows, and not when it continues', async () => {
    const punctuator = await create();
    expect(await written(punctuator, 'how are you', { after: [] })).toBe('How are you?');
    expect(await written(punctuator, 'i work', { after: [] })).toBe('I work.');
    expect(await written(punctuator, 'oh well', { after: [] })).toBe('Oh well.');
    expect(await written(punctuator, 'i work for nasa', { goesOn: true })).toBe('I work for NASA');
    expect(await written(punctuator, 'i work for nasa', { after: wordsOf('how') })).toBe('I work for NASA.');
  });

  it('begins no sentence within one', async () => {
    expect(await written(await create(), 'for nasa', { before: ['i', 'work'] })).toBe('for NASA.');
  });

  it('writes long speech as well as short', async () => {
    const sentence = 'well how are you i work for nasa';
    const [short, long] = ['Well, how are you? I work for NASA.', new Array(200).fill(sentence).join(' ')];
    for (const files of [online, chinese]) {
      const text = await written(await create(files), long);
      const expected = files === online ? short : short.replace('NASA', 'nasa');
      expect(text).toBe(new Array(200).fill(expected).join(' '));
    }
  });

  it('serves all by one process, which ends when it is closed', async () => {
    const punctuator = await create();
    await Promise.all(new Array(20).fill('how are you').map(text => written(punctuator, text)));
    const [pid, ...others] = processes();
    expect(others).toEqual([]);
    await punctuator.close();
    expect(isGone(pid!)).toBe(true);
    await expect(written(punctuator, 'how')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails when its process dies, and continues with another', async () => {
    const punctuator = await create();
    expect(await written(punctuator, 'how')).toBe('How');
    const [pid] = processes();
    const writing = written(punctuator, new Array(100_000).fill('how').join(' '));
    const failed = expect(writing).rejects.toMatchObject({ code: 'engine-failed' });
    // By the time that this is written, the other is being written.
    await written(punctuator, 'how');
    process.kill(pid!, 'SIGKILL');
    await failed;
    expect(await written(punctuator, 'how')).toBe('How');
  });

  it('reports a broken model, and survives it', async () => {
    const { metadata, ...rest } = ctTransformerModel(HABITS);
    const short = onnxModel({ ...rest, metadata: { ...metadata, vocab_size: 3 } });
    await expect(written(await create({ 'model.onnx': short }), 'how')).rejects.toMatchObject(
      errorLike('engine-failed', /vocab_size 3/),
    );
    const { metadata: _, ...unnamed } = onlinePunctuationModel(HABITS);
    const bare = await create({ ...online, 'model.onnx': onnxModel(unnamed) });
    await expect(written(bare, 'how')).rejects.toMatchObject(errorLike('engine-failed', /COMMA/));
    const directory = await modelFiles(online);
    const punctuator = createSherpaPunctuator(await inspectModel(directory.path));
    onTestFinished(() => punctuator.close());
    await directory[Symbol.asyncDispose]();
    await expect(written(punctuator, 'how')).rejects.toMatchObject(
      errorLike('engine-missing', directory.path),
    );
  });
});
