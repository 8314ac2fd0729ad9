import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { modelFiles, tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear } from '../recognizerContract.ts';
import { offlineCtcModel } from './offlineCtcModel.ts';
import { sileroModel } from './sileroModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';

const ALPHA = ['▁al', 'pha'];
const BETA = ['▁be', 'ta'];
const speech = joined(silence(0.5), toneSpeech(ALPHA, BETA), silence(0.8), toneSpeech(BETA, ALPHA));

const model = await toneModelDirectory('offline-nemo-ctc', {
  model: onnxModel(offlineCtcModel()),
  tokens: tokensText(),
});
afterAll(() => model[Symbol.asyncDispose]());

async function sileroDirectory(file: Buffer): Promise<ModelDirectory> {
  const directory = await modelFiles({ 'silero_vad.onnx': file });
  onTestFinished(() => directory[Symbol.asyncDispose]());
  return inspectModel(directory.path);
}

function create(voiceModel: ModelDirectory, pauseSeconds?: number) {
  const recognizer = createSherpaRecognizer({ model, voiceModel, pauseSeconds });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

const textsOf = (results: readonly RecognizerResult[]) =>
  results.map(({ words }) => words.map(word => word.value).join(' '));

describe('a voice detector of silero', { timeout: 120_000 }, () => {
  it('cuts speech into utterances at pauses', async () => {
    const silero = await sileroDirectory(onnxModel(sileroModel()));
    const results = await hear(create(silero), speech);
    expect(textsOf(results)).toEqual(['alpha beta', 'beta alpha']);
    expect(results[1]!.startFrame / 16_000).toBeCloseTo(1.94, 1);
    expect(textsOf(await hear(create(silero, 1.5), speech))).toEqual(['alpha beta beta alpha']);
  });

  it('finds one utterance in long speech without a pause', async () => {
    const silero = await sileroDirectory(onnxModel(sileroModel()));
    const words = Array.from({ length: 40 }, (_, index) => [ALPHA, BETA][index % 2]!);
    const long = await hear(create(silero), joined(silence(0.5), toneSpeech(...words)));
    expect(long.map(result => result.words.length)).toEqual([40]);
  });

  it('finds as much speech as the model', async () => {
    const deaf = await sileroDirectory(onnxModel(sileroModel({ loud: 10 })));
    expect(await hear(create(deaf), speech)).toEqual([]);
  });

  it('serves several streams, each with its own detector', async () => {
    const recognizer = create(await sileroDirectory(onnxModel(sileroModel())));
    const [one, other] = await Promise.all([
      hear(recognizer, speech, { pieces: 1000 }),
      hear(recognizer, silence(3), { pieces: 700 }),
    ]);
    expect(textsOf(one)).toEqual(['alpha beta', 'beta alpha']);
    expect(other).toEqual([]);
  });

  it('finds the same after minutes of loud sound', async () => {
    const recognizer = create(await sileroDirectory(onnxModel(sileroModel())));
    const loud = Int16Array.from({ length: 60 * 16_000 }, (_, frame) => 9000 * Math.sin(frame));
    const long = joined(...new Array<Int16Array>(3).fill(loud), silence(1), speech);
    expect(textsOf(await hear(recognizer, long)).slice(-2)).toEqual(['alpha beta', 'beta alpha']);
  });

  it('reports a broken model, and a missing file', async () => {
    const strange = create(await sileroDirectory(onnxModel(offlineCtcModel())));
    await expect(strange.open()).rejects.toMatchObject(errorLike('engine-failed', /silero vad/i));
    const silero = await sileroDirectory(onnxModel(sileroModel()));
    const gone = create({ ...silero, files: { model: `${silero.path}/none.onnx` } });
    const missing = { code: 'engine-missing', message: expect.stringContaining('none.onnx') };
    await expect(gone.open()).rejects.toMatchObject(missing);
    await expect(gone.warm()).rejects.toMatchObject(missing);
    expect(() => create(model)).toThrow(/silero-vad/);
  });
});
