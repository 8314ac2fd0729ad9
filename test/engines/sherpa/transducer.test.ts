// @module-tag slow

import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecognizerResult } from '../../../src/engines/recognizer.ts';
import { createSherpaRecognizer } from '../../../src/engines/sherpa/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { errorLike } from '../../helpers/errorLike.ts';
import { eventually } from '../../helpers/eventually.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, silence } from '../../helpers/sampleSpeech.ts';
import { tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { hear, recognizerContract } from '../recognizerContract.ts';
import { sentencePieceModel } from './sentencePieceModel.ts';
import { toneModelDirectory } from './toneModelDirectory.ts';
import {
  offlineEncoder,
  onlineEncoder,
  TRANSDUCER_BPE,
  TRANSDUCER_TOKENS,
  transducerDecoder,
  transducerJoiner,
} from './transducerModel.ts';

const ALPHA = ['▁al', 'pha'];
const BETA = ['▁be', 'ta'];
const ZULU = ['▁zu', 'lu'];
const speech = joined(
  ...[silence(0.3), toneSpeech(ALPHA, BETA), silence(0.8), toneSpeech(ZULU, ALPHA, BETA, ZULU), silence(0.2)],
);

const common = {
  decoder: onnxModel(transducerDecoder()),
  joiner: onnxModel(transducerJoiner()),
  tokens: tokensText(TRANSDUCER_TOKENS),
};
const files = { encoder: onnxModel(onlineEncoder()), ...common };
const online = await toneModelDirectory('online-transducer', { ...files, bpeVocab: TRANSDUCER_BPE });
const offline = await toneModelDirectory('offline-transducer', {
  ...{ encoder: onnxModel(offlineEncoder()), ...common },
  bpeVocab: TRANSDUCER_BPE,
});

/** As of a model that knows a word as a whole and hardly ever writes it so. */
const SCORES = { '▁': -4, a: -4, l: -4, f: -4, '▁al': -5, pha: -5, '▁be': -5, ta: -5, fa: -5, '▁alfa': -50 };

recognizerContract('sherpa-onnx with a streaming transducer', {
  create: () => createSherpaRecognizer({ model: online, maxSessions: 2 }),
  speech: () => speech,
  phrases: { usable: ['alfa', 'beta zulu'], unusable: '!?' },
});

function create(options: Partial<Parameters<typeof createSherpaRecognizer>[0]> = {}) {
  const recognizer = createSherpaRecognizer({ model: online, maxSessions: 2, ...options });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

const processes = () => childrenWith('sherpa/child');
const finalsOf = (results: readonly RecognizerResult[]) => results.filter(result => result.type === 'final');
const textsOf = (results: readonly RecognizerResult[]) =>
  finalsOf(results).map(result => result.words.map(word => word.value).join(' '));

describe('a transducer', { timeout: 120_000 }, () => {
  it('has confidences of its tokens in finals', async () => {
    const results = await hear(create(), speech);
    expect(textsOf(results)).toEqual(['alpha beta', 'zulu alpha beta zulu']);
    for (const { words } of finalsOf(results)) {
      for (const { confidence } of words) {
        expect(confidence).toBeGreaterThan(0.4);
        expect(confidence).toBeLessThan(1);
      }
    }
    // Of two tokens that sound the same one is less likely than one that is alone.
    const [alpha, beta] = finalsOf(results)[0]!.words;
    expect(alpha!.confidence).not.toBe(beta!.confidence);
  });

  it.each([
    ['streaming', online],
    ['of whole utterances', offline],
  ])('recognises a name with a phrase that it misses without: %s', async (_, model) => {
    const recognizer = create({ model });
    expect(recognizer.capabilities.customVocabulary).toBe(true);
    expect(textsOf(await hear(recognizer, speech))).toEqual(['alpha beta', 'zulu alpha beta zulu']);
    const phrases = ['Alfa', 'alfa', 'nobody says', '...'];
    expect(textsOf(await hear(recognizer, speech, { phrases }))).toEqual([
      'alfa beta',
      'zulu alfa beta zulu',
    ]);
    expect(textsOf(await hear(recognizer, speech))).toEqual(['alpha beta', 'zulu alpha beta zulu']);
  });

  it('favours phrases by the given score', async () => {
    const faint = create({ hotwordsScore: 0.1 });
    expect(textsOf(await hear(faint, speech, { phrases: ['alfa'] }))[0]).toBe('alpha beta');
  });

  it('has its own process for a session with phrases, which ends with it', async () => {
    const recognizer = create();
    await recognizer.warm();
    const kept = processes();
    const session = await recognizer.open({ phrases: ['alfa'] });
    expect(processes()).toHaveLength(kept.length + 1);
    await session.close();
    expect(processes()).toEqual(kept);
  });

  it('spells phrases by its tokens when there is no vocabulary', async () => {
    const plain = await toneModelDirectory('online-transducer', files);
    onTestFinished(() => plain[Symbol.asyncDispose]());
    const recognizer = create({ model: plain });
    expect(await recognizer.inspectPhrases(['alfa'])).toEqual([]);
    expect(textsOf(await hear(recognizer, speech, { phrases: ['alfa'] }))[0]).toBe('alfa beta');
  });

  it.each([
    ['by the order of its tokens', {}],
    ['by the scores of its model of SentencePiece', { bpe: sentencePieceModel(SCORES) }, '▁alfa'],
    ['by the order of its tokens where the file of that model is none', { bpe: 'version https://git-lfs' }],
  ])('spells phrases in the likeliest way, which is not letter by letter: %s', async (_, spelling, rare?) => {
    // Those here come first and are never heard.
    const unheard = (tokens: readonly string[]) => tokens.map((token, index) => `${token} ${100 + index}\n`);
    const tokens = [...unheard([...'▁alf', ...(rare ? [rare] : [])]), tokensText(TRANSDUCER_TOKENS)].join('');
    const plain = await toneModelDirectory('online-transducer', { ...files, tokens, ...spelling });
    onTestFinished(() => plain[Symbol.asyncDispose]());
    const heard = await hear(create({ model: plain }), speech, { phrases: ['alfa'] });
    expect(textsOf(heard)[0]).toBe('alfa beta');
  });

  it('names the phrases that it cannot spell', async () => {
    const letters = TRANSDUCER_TOKENS.map(token => token.replace('▁', ''));
    const plain = await toneModelDirectory('online-transducer', { ...files, tokens: tokensText(letters) });
    onTestFinished(() => plain[Symbol.asyncDispose]());
    const faultsOf = async (recognizer: ReturnType<typeof create>) =>
      (await recognizer.inspectPhrases(['alfa', 'qatar', '你好'])).map(({ reason }) => reason);
    expect(await faultsOf(create())).toEqual([
      "the model lacks the letter 'q'",
      "the model lacks the letter '你'",
    ]);
    expect((await faultsOf(create({ model: plain })))[0]).toMatch(/no word pieces/);
  });

  it('reports that a decoding method ignores phrases, and works without', async () => {
    const recognizer = create({ decodingMethod: 'greedy_search' });
    expect(recognizer.capabilities.customVocabulary).toBe(false);
    const [fault] = await recognizer.inspectPhrases(['alfa']);
    expect(fault!.reason).toMatch(/greedy_search.*modified_beam_search/);
    expect(textsOf(await hear(recognizer, speech, { phrases: ['alfa'] }))[0]).toBe('alpha beta');
  });

  it('reports an encoder of an unknown kind, and survives it', async () => {
    const { metadata, ...encoder } = onlineEncoder();
    const strange = { ...encoder, metadata: { ...metadata, model_type: 'abacus' } };
    const model = await toneModelDirectory('online-transducer', { ...files, encoder: onnxModel(strange) });
    onTestFinished(() => model[Symbol.asyncDispose]());
    await expect(create({ model }).open()).rejects.toMatchObject(errorLike('engine-failed', model.path));
    await eventually(() => expect(processes()).toEqual([]));
  });
});
