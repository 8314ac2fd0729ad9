import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { eventually } from '../../helpers/eventually.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { tokensText } from '../../helpers/toneModels.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';
import {
  onlineEncoder,
  TRANSDUCER_BPE,
  TRANSDUCER_TOKENS,
  transducerDecoder,
  transducerJoiner,
} from './transducerModel.ts';
import { whisperDecoder, whisperEncoder, whisperTokens } from './whisperModel.ts';

const transducer = await toneModelDirectory('online-transducer', {
  encoder: onnxModel(onlineEncoder()),
  decoder: onnxModel(transducerDecoder()),
  joiner: onnxModel(transducerJoiner()),
  tokens: tokensText(TRANSDUCER_TOKENS),
  bpeVocab: TRANSDUCER_BPE,
});
afterAll(() => transducer[Symbol.asyncDispose]());
const whisper = await toneModelDirectory('whisper', {
  encoder: onnxModel(whisperEncoder()),
  decoder: onnxModel(whisperDecoder()),
  tokens: whisperTokens(),
});
afterAll(() => whisper[Symbol.asyncDispose]());

const processes = () => childrenWith('sherpa/child');

describe('processes with a model', { timeout: 120_000 }, () => {
  it('end when their only user gives up while they load', async () => {
    // Nobody ever writes into it: loading it takes for ever.
    const encoder = `${transducer.path}/endless.onnx`;
    execFileSync('mkfifo', [encoder]);
    const model = { ...transducer, files: { ...transducer.files, encoder } };
    const recognizer = createSherpaRecognizer({ model });
    onTestFinished(() => recognizer.close());
    const controller = new AbortController();
    const opening = recognizer.open({ phrases: ['alfa'], signal: controller.signal });
    const failed = expect(opening).rejects.toThrow('enough');
    await eventually(() => expect(processes()).toHaveLength(1));
    controller.abort(new Error('enough'));
    await failed;
    expect(processes()).toEqual([]);
  });
  it('are kept for one language at a time, and for all that are in use', async () => {
    const recognizer = createSherpaRecognizer({ model: whisper });
    onTestFinished(() => recognizer.close());
    await (await recognizer.open({ language: 'en' })).close();
    const [english] = processes();
    const german = await recognizer.open({ language: 'de' });
    expect(processes()).toHaveLength(1);
    expect(processes()).not.toContain(english);
    await using _english = await recognizer.open({ language: 'en' });
    expect(processes()).toHaveLength(2);
    await german.finish();
    await german.close();
    await (await recognizer.open({ language: 'en' })).close();
    expect(processes()).toHaveLength(2);
  });

  it('stay for the next session beside one with phrases', async () => {
    const recognizer = createSherpaRecognizer({ model: transducer });
    onTestFinished(() => recognizer.close());
    await recognizer.warm();
    const kept = processes();
    await (await recognizer.open({ phrases: ['alfa'] })).close();
    expect(processes()).toEqual(kept);
  });
});
