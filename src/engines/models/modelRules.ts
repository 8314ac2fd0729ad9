import type { ModelRole } from '../../base/models.ts';
import type { ModelContents } from './modelContents.ts';
import type { ModelKind } from './modelDirectory.ts';

/** Result of a rule, with names relative to the directory. */
export interface RecognisedModel {
  readonly kind: ModelKind;
  readonly roles: readonly ModelRole[];
  readonly files: Readonly<Record<string, string | undefined>>;
}

/** A rule that identifies a family of models by its files. */
export interface ModelRule {
  /** Description of the expected files, for people. */
  readonly wanted: string;
  match(contents: ModelContents): Promise<RecognisedModel | undefined>;
}

const NEMO = /^EncDec/;

/**
 * Returns whether a model takes audio in chunks, as only such metadata say; the second key is that of NeMo.
 */
function isStreaming(metadata: ReadonlyMap<string, string>): boolean {
  return metadata.has('decode_chunk_len') || metadata.has('chunk_shift');
}

/** Returns the files that join tokens to words and spell hotwords. */
function tokenFiles(contents: ModelContents): Record<string, string | undefined> {
  return {
    tokens: contents.first(/^tokens\.txt$/),
    bpe: contents.first(/^bpe\.model$/),
    bpeVocab: contents.first(/^bpe\.vocab$/),
  };
}

export const transducerRule: ModelRule = {
  wanted: 'encoder*.onnx, decoder*.onnx, joiner*.onnx and tokens.txt',
  async match(contents) {
    const tokens = tokenFiles(contents);
    for (const stem of contents.stems(/^encoder/)) {
      const encoder = contents.onnx(stem);
      // The decoder is small: its int8 variant would be less accurate and no faster.
      const decoder = contents.onnx(stem.replace('encoder', 'decoder'), 'full');
      const joiner = contents.onnx(stem.replace('encoder', 'joiner'));
      if (!encoder || !decoder || !joiner || !tokens.tokens) continue;
      const metadata = await contents.metadata(encoder);
      const kind = kindOfTransducer(metadata);
      return { kind, roles: ['recognizer'], files: { encoder, decoder, joiner, ...tokens } };
    }
    return undefined;
  },
};

function kindOfTransducer(metadata: ReadonlyMap<string, string>): ModelKind {
  const isNemo = metadata.has('chunk_shift') || NEMO.test(metadata.get('model_type') ?? '');
  const pace = isStreaming(metadata) ? 'online' : 'offline';
  return isNemo ? `${pace}-nemo-transducer` : `${pace}-transducer`;
}

/**
 * Rule for the first version only: with the second, sherpa-onnx 1.13.8 finds no words in utterances above 9
 * s.
 */
export const moonshineRule: ModelRule = {
  wanted: 'preprocess.onnx, encode*.onnx, uncached_decode*.onnx, cached_decode*.onnx and tokens.txt',
  async match(contents) {
    const files = {
      preprocessor: contents.onnx('preprocess', 'full'),
      encoder: contents.onnx('encode'),
      uncachedDecoder: contents.onnx('uncached_decode'),
      cachedDecoder: contents.onnx('cached_decode'),
      tokens: tokenFiles(contents).tokens,
    };
    if (Object.values(files).includes(undefined)) return undefined;
    return { kind: 'offline-moonshine', roles: ['recognizer'], files };
  },
};

export const whisperRule: ModelRule = {
  wanted: '*-encoder.onnx, *-decoder.onnx and *-tokens.txt of Whisper',
  async match(contents) {
    for (const stem of contents.stems(/-encoder$/)) {
      const encoder = contents.onnx(stem);
      const decoder = contents.onnx(stem.replace(/encoder$/, 'decoder'));
      const tokens = contents.names.find(name => name === stem.replace(/encoder$/, 'tokens.txt'));
      if (!encoder || !decoder || !tokens) continue;
      const multilingual = (await contents.metadata(encoder)).get('is_multilingual');
      const knowsLanguages = multilingual === undefined ? !/\.en-encoder$/.test(stem) : multilingual !== '0';
      const roles: readonly ModelRole[] = knowsLanguages
        ? ['recognizer', 'languageIdentifier']
        : ['recognizer'];
      return { kind: 'whisper', roles, files: { encoder, decoder, tokens } };
    }
    return undefined;
  },
};

/** Input of Moonshine's encoder: it takes samples, other encoders of Hugging Face take features. */
const MOONSHINE_INPUT = 'input_values';

/**
 * Rule for the export of Hugging Face; without `config.json`, the input of the encoder distinguishes it from
 * Whisper.
 */
export const huggingFaceMoonshineRule: ModelRule = {
  wanted: 'encoder_model*.onnx and decoder_model_merged*.onnx of Moonshine',
  async match(contents) {
    const type = (await contents.json('config.json'))?.model_type;
    if (type !== undefined && type !== 'moonshine') return undefined;
    for (const folder of ['onnx/', '']) {
      const encoder = contents.onnx(`${folder}encoder_model`);
      const decoder = contents.onnx(`${folder}decoder_model_merged`);
      if (!encoder || !decoder) continue;
      if (type === undefined && !(await contents.inputs(encoder)).includes(MOONSHINE_INPUT)) continue;
      const config = contents.first(/^config\.json$/);
      const tokenizer = contents.first(/^tokenizer\.json$/);
      // A smaller model for partials may lie beside it.
      const partialsEncoder = contents.onnx(`${folder}partials_encoder_model`);
      const partialsDecoder = contents.onnx(`${folder}partials_decoder_model_merged`);
      const files = { encoder, decoder, tokenizer, config, partialsEncoder, partialsDecoder };
      return { kind: 'moonshine', roles: ['recognizer'], files };
    }
    return undefined;
  },
};

export const onlineParaformerRule: ModelRule = {
  wanted: 'encoder*.onnx and decoder*.onnx of a streaming Paraformer, and tokens.txt',
  async match(contents) {
    const { tokens } = tokenFiles(contents);
    const encoder = contents.onnx('encoder');
    const decoder = contents.onnx('decoder');
    if (!encoder || !decoder || !tokens) return undefined;
    const metadata = await contents.metadata(encoder);
    if (!metadata.has('lfr_window_size') || !metadata.has('decoder_num_blocks')) return undefined;
    return { kind: 'online-paraformer', roles: ['recognizer'], files: { encoder, decoder, tokens } };
  },
};

/** Rule for models in one file with an output for each frame, distinguished by metadata. */
export const singleModelRule: ModelRule = {
  wanted: 'model*.onnx or ctc*.onnx (CTC, Paraformer or SenseVoice) and tokens.txt',
  async match(contents) {
    const tokens = tokenFiles(contents);
    if (!tokens.tokens) return undefined;
    for (const stem of contents.stems(/^(model|ctc)/)) {
      const model = contents.onnx(stem)!;
      const kind = kindOfSingleModel(await contents.metadata(model));
      if (kind) return { kind, roles: ['recognizer'], files: { model, ...tokens } };
    }
    return undefined;
  },
};

function kindOfSingleModel(metadata: ReadonlyMap<string, string>): ModelKind | undefined {
  const type = metadata.get('model_type') ?? '';
  if (type.startsWith('sense_voice')) return 'offline-sense-voice';
  if (type === 'paraformer') return 'offline-paraformer';
  if (metadata.has('chunk_shift')) return 'online-nemo-ctc';
  if (NEMO.test(type)) return 'offline-nemo-ctc';
  if (!type.startsWith('zipformer2')) return undefined;
  return isStreaming(metadata) ? 'online-zipformer2-ctc' : 'offline-zipformer-ctc';
}

export const sileroRule: ModelRule = {
  wanted: 'silero_vad*.onnx',
  async match(contents) {
    const [stem] = contents.stems(/^silero_vad/);
    const model = stem && contents.onnx(stem, 'full');
    return model ? { kind: 'silero-vad', roles: ['voiceDetector'], files: { model } } : undefined;
  },
};
