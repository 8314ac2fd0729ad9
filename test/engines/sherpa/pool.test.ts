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

const transducer = await toneModelDirectory('online-transducer', {
  encoder: onnxModel(onlineEncoder()),
  decoder: onnxModel(transducerDecoder()),
  joiner: onnxModel(transducerJoiner()),
  tokens: tokensText(TRANSDUCER_TOKENS),
  bpeVocab: TRANSDUCER_BPE,
});
afterAll(() => transducer[Symbol.asyncDispose]());

const processes = () => childrenWith('sherpa/child');

describe('processes with a model', { timeout: 120_000 }, () => {
  it('end when whom they were for gives up while they load', async () => {
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
});
