// @module-tag slow

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { CATALOGUE } from '../../../src/engines/models/catalogue.ts';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { engineOf } from '../../../src/engines/models/modelDirectory.ts';
import { pullModel } from '../../../src/engines/models/pullModel.ts';
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { modelFiles, toneSpeech } from '../../helpers/toneModels.ts';
import { sha256 } from '../models/fileServer.ts';
import { hear, recognizerContract } from '../recognizerContract.ts';
import { finalsOf, textsOf } from './moonshine.ts';
import { toneDecoder, toneEncoder } from './toneMoonshine.ts';

const ALPHA = ['▁al', 'pha'];
const BETA = ['▁be', 'ta'];
const ZULU = ['▁zu', 'lu'];
const speech = joined(
  silence(0.5),
  toneSpeech(ALPHA, BETA, ZULU, BETA),
  silence(1),
  toneSpeech(ZULU, ALPHA, BETA),
);
const FILES: Readonly<Record<string, Buffer>> = {
  'encoder_model.onnx': onnxModel(toneEncoder()),
  'decoder_model_merged.onnx': onnxModel(toneDecoder()),
};

/** Size and checksum of a small file, in the form of the catalogue. */
function measuresOf(name: string): { readonly bytes: number; readonly sha256: string } {
  const content = FILES[name] ?? Buffer.alloc(0);
  return { bytes: content.length, sha256: sha256(content) };
}

const directory = await modelFiles(FILES);
afterAll(() => directory[Symbol.asyncDispose]());
const model = await inspectModel(directory.path);

recognizerContract('Moonshine of the base size', {
  create: () => createMoonshineRecognizer({ model, maxSessions: 2, processes: 1 }),
  speech: () => speech,
  phrases: { usable: ['zulu'], unusable: '★ zulu' },
  partialsByClock: true,
  hearingOnly: true,
});

describe('the base size of Moonshine', { timeout: 120_000 }, () => {
  it.each(['native', 'wasm'] as const)(
    'recognises speech after its files were pulled by name: %s',
    async runtime => {
      const entry = CATALOGUE.find(({ name }) => name === 'moonshine-base-en')!;
      const { url: mirror } = await httpServer((request, response) => {
        const [name, file = ''] = request.url?.split('/').slice(-2) ?? [];
        const content = name === entry.name ? FILES[file] : undefined;
        response.writeHead(content ? 200 : 404).end(content);
      });
      const pulled = await pullModel(
        { ...entry, files: entry.files.map(file => ({ ...file, ...measuresOf(file.name) })) },
        { modelsDirectory: await temporaryDirectory(), mirror },
      );
      const inspected = await inspectModel(pulled);
      expect(engineOf(inspected)).toBe('moonshine');
      const recognizer = createMoonshineRecognizer({ model: inspected, runtime, processes: 1 });
      onTestFinished(() => recognizer.close());
      const finals = finalsOf(await hear(recognizer, speech));
      expect(textsOf(finals)).toEqual(['alpha beta zulu beta', 'zulu alpha beta']);
      const words = finals.flatMap(({ words }) => words);
      for (const [index, second] of [0.5, 0.82, 1.14, 1.46, 2.78, 3.1, 3.42].entries())
        expect(Math.abs(words[index]!.startFrame / 16_000 - second)).toBeLessThan(0.1);
      for (const { confidence } of words) expect(confidence).toBeGreaterThan(0.9);
    },
  );
});
