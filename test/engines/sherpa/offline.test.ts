import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelDirectory } from '../../../src/engines/models/modelDirectory.ts';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear, listen, recognizerContract } from '../recognizerContract.ts';
import { offlineCtcModel, offlineCtcModelFor } from './offlineCtcModel.ts';
import { SENSE_VOICE_TOKENS, senseVoiceModel } from './senseVoiceModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';
import { whisperDecoder, whisperEncoder, whisperTokens } from './whisperModel.ts';

const ALPHA = ['▁al', 'pha'];
const BETA = ['▁be', 'ta'];
const ZULU = ['▁zu', 'lu'];
const speech = joined(silence(0.5), toneSpeech(ALPHA, BETA), silence(0.8), toneSpeech(ZULU, ALPHA, BETA));

const ctc = await toneModelDirectory('offline-nemo-ctc', {
  model: onnxModel(offlineCtcModel()),
  tokens: tokensText(),
});
const senseVoice = await toneModelDirectory('offline-sense-voice', {
  model: onnxModel(senseVoiceModel()),
  tokens: tokensText(SENSE_VOICE_TOKENS),
});
const whisper = await toneModelDirectory('whisper', {
  encoder: onnxModel(whisperEncoder()),
  decoder: onnxModel(whisperDecoder()),
  tokens: whisperTokens(),
});

recognizerContract('sherpa-onnx with a CTC model of whole utterances', {
  create: () => createSherpaRecognizer({ model: ctc, maxSessions: 2 }),
  speech: () => speech,
  phrases: { usable: [], unusable: 'alpha beta' },
});

function create(model: ModelDirectory, options: { readonly languages?: readonly string[] } = {}) {
  const recognizer = createSherpaRecognizer({ model, maxSessions: 2, ...options });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

async function needing(leastFrames: number): Promise<ModelDirectory> {
  const model = onnxModel(offlineCtcModelFor({ leastFrames }));
  const directory = await toneModelDirectory('offline-nemo-ctc', { model, tokens: tokensText() });
  onTestFinished(() => directory[Symbol.asyncDispose]());
  return directory;
}

const textOf = (result: RecognizerResult) => result.words.map(word => word.value).join(' ');
const startsOf = (results: readonly RecognizerResult[]) =>
  results.flatMap(result => result.words.map(word => word.startFrame / 16_000));

describe('offline models', { tags: 'slow', timeout: 120_000 }, () => {
  it.each([
    ['CTC', ctc],
    ['SenseVoice', senseVoice],
  ])('find each utterance in its place: %s', async (_, model) => {
    const results = await hear(create(model), speech);
    expect(results.every(result => result.type === 'final')).toBe(true);
    expect(results.map(textOf)).toEqual(['alpha beta', 'zulu alpha beta']);
    const expected = [0.5, 0.82, 1.94, 2.26, 2.58];
    for (const [index, start] of startsOf(results).entries()) expect(start).toBeCloseTo(expected[index]!, 1);
  });

  it('spread the words over the utterance when Whisper gives no times', async () => {
    const results = await hear(create(whisper), speech);
    expect(results.map(textOf)).toEqual(['alpha beta', 'zulu alpha beta']);
    for (const { words } of results) {
      for (const [index, word] of words.entries()) {
        expect(word.startFrame).toBe(words[index - 1]?.endFrame ?? words[0]!.startFrame);
      }
    }
    expect(startsOf(results).at(-1)).toBeLessThan(speech.length / 16_000);
  });

  it('know the languages of Whisper and SenseVoice, and load the model for the spoken one', async () => {
    expect(create(senseVoice).capabilities.languages).toContain('ja');
    const recognizer = create(whisper);
    expect(recognizer.capabilities.languages).toContain('sw');
    expect((await hear(recognizer, speech, { language: 'de' })).map(textOf)).toHaveLength(2);
    // This small one was never taught it: the library ends its process.
    await expect(hear(recognizer, speech, { language: 'sw' })).rejects.toMatchObject(
      errorLike('engine-failed', /Invalid language: sw/),
    );
    expect(await hear(recognizer, speech)).toHaveLength(2);
  });

  it('recognise a word that is shorter than their shortest input', async () => {
    const results = await hear(create(await needing(45)), toneSpeech(ALPHA));
    expect(results.map(textOf)).toEqual(['alpha']);
    expect(results[0]!.endFrame).toBeLessThanOrEqual(toneSpeech(ALPHA).length);
  });

  it('fail only the session whose utterance they cannot process', async () => {
    const recognizer = create(await needing(110));
    await using other = await recognizer.open();
    const { results, ended } = listen(other);
    const [pid] = childrenWith('sherpa/child');
    await expect(hear(recognizer, toneSpeech(ALPHA))).rejects.toMatchObject(
      errorLike('engine-failed', /Gather/),
    );
    await other.write(joined(silence(0.5), toneSpeech(ZULU, ALPHA, BETA)));
    await other.finish();
    await ended;
    expect(results.map(textOf)).toEqual(['zulu alpha beta']);
    expect(childrenWith('sherpa/child')).toEqual([pid]);
  });

  it('report that they do not support phrases', async () => {
    const faults = await create(senseVoice).inspectPhrases(['alpha']);
    expect(faults).toEqual([{ phrase: 'alpha', reason: expect.stringMatching(/offline-sense-voice/) }]);
  });

  it.each([
    ['CTC', { ...ctc, files: { ...ctc.files, model: ctc.files.tokens! } }, /tokens\.txt|protobuf|Protobuf/],
    ['Whisper', { ...whisper, files: { ...whisper.files, encoder: ctc.files.model! } }, /does not exist/],
    [
      'SenseVoice',
      { ...senseVoice, files: { ...senseVoice.files, model: ctc.files.model! } },
      /does not exist/,
    ],
  ])('report a model that cannot be loaded: %s', async (_, model, expected) => {
    const recognizer = create(model);
    const failing = recognizer.open();
    await expect(failing).rejects.toMatchObject(errorLike('engine-failed', expected));
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining(model.path) });
  });
});
