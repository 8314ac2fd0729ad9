import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inspectModel } from '../../../src/engines/models/inspectModel.ts';
import { onnxFile, onnxGraphFile } from './onnxFile.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-models-'));
});
afterEach(() => rm(directory, { recursive: true }));

type Metadata = Readonly<Record<string, string>>;
/** Names of the inputs of a graph. */
type Inputs = readonly string[];
type Content = Metadata | Inputs | string;

/** Files by name: metadata or inputs make an ONNX file, text a text file. */
async function put(files: Readonly<Record<string, Content>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contentOf(content));
  }
}

function contentOf(content: Content): Uint8Array | string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? onnxGraphFile(content) : onnxFile(content as Metadata);
}

async function inspect() {
  const { kind, roles, files } = await inspectModel(directory);
  const names = Object.entries(files).map(([what, path]) => [what, relative(directory, path)]);
  return { kind, roles, files: Object.fromEntries(names) };
}

const STREAMING = { model_type: 'zipformer', decode_chunk_len: '32', T: '39' };

/** Directories as published, with the expected kind, roles and some of the files. */
const CASES: readonly {
  readonly what: string;
  readonly put: Readonly<Record<string, Content>>;
  readonly kind: string;
  readonly roles?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}[] = [
  {
    what: 'a streaming transducer with int8 variants',
    put: {
      'encoder-epoch-99-avg-1.int8.onnx': STREAMING,
      'encoder-epoch-99-avg-1.onnx': STREAMING,
      'decoder-epoch-99-avg-1.int8.onnx': {},
      'decoder-epoch-99-avg-1.onnx': {},
      'joiner-epoch-99-avg-1.int8.onnx': {},
      'joiner-epoch-99-avg-1.onnx': {},
      'tokens.txt': '<blk> 0',
      'bpe.model': 'x',
      'bpe.vocab': 'x',
    },
    kind: 'online-transducer',
    files: {
      encoder: 'encoder-epoch-99-avg-1.int8.onnx',
      decoder: 'decoder-epoch-99-avg-1.onnx',
      joiner: 'joiner-epoch-99-avg-1.int8.onnx',
      tokens: 'tokens.txt',
      bpe: 'bpe.model',
      bpeVocab: 'bpe.vocab',
    },
  },
  {
    what: 'a transducer that takes whole files',
    put: {
      'encoder.onnx': { model_type: 'zipformer2', comment: 'non-streaming zipformer2' },
      'decoder.onnx': {},
      'joiner.onnx': {},
      'tokens.txt': '',
    },
    kind: 'offline-transducer',
    files: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  {
    what: 'a transducer by NeMo that takes whole files',
    put: {
      'encoder.int8.onnx': { model_type: 'EncDecRNNTBPEModel' },
      'decoder.int8.onnx': {},
      'joiner.int8.onnx': {},
      'tokens.txt': '',
    },
    kind: 'offline-nemo-transducer',
    files: {
      encoder: 'encoder.int8.onnx',
      decoder: 'decoder.int8.onnx',
      joiner: 'joiner.int8.onnx',
      tokens: 'tokens.txt',
    },
  },
  {
    what: 'a streaming transducer by NeMo',
    put: {
      'encoder.onnx': { model_type: 'EncDecHybridRNNTCTCBPEModel', window_size: '121', chunk_shift: '112' },
      'decoder.onnx': {},
      'joiner.onnx': {},
      'tokens.txt': '',
    },
    kind: 'online-nemo-transducer',
    files: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' },
  },
  {
    what: 'Moonshine',
    put: {
      'preprocess.onnx': {},
      'encode.int8.onnx': {},
      'uncached_decode.int8.onnx': {},
      'cached_decode.int8.onnx': {},
      'tokens.txt': '',
    },
    kind: 'offline-moonshine',
    files: {
      preprocessor: 'preprocess.onnx',
      encoder: 'encode.int8.onnx',
      uncachedDecoder: 'uncached_decode.int8.onnx',
      cachedDecoder: 'cached_decode.int8.onnx',
      tokens: 'tokens.txt',
    },
  },
  {
    what: 'Whisper of many languages',
    put: {
      'tiny-encoder.onnx': { model_type: 'whisper-tiny', is_multilingual: '1' },
      'tiny-decoder.onnx': {},
      'tiny-tokens.txt': '',
    },
    kind: 'whisper',
    roles: ['recognizer', 'languageIdentifier'],
    files: { encoder: 'tiny-encoder.onnx', decoder: 'tiny-decoder.onnx', tokens: 'tiny-tokens.txt' },
  },
  {
    what: 'Whisper of English only, which identifies no language',
    put: { 'tiny.en-encoder.int8.onnx': {}, 'tiny.en-decoder.int8.onnx': {}, 'tiny.en-tokens.txt': '' },
    kind: 'whisper',
    roles: ['recognizer'],
    files: {
      encoder: 'tiny.en-encoder.int8.onnx',
      decoder: 'tiny.en-decoder.int8.onnx',
      tokens: 'tiny.en-tokens.txt',
    },
  },
  {
    what: 'Whisper as Hugging Face has it',
    put: {
      'onnx/encoder_model.onnx': {},
      'onnx/encoder_model_quantized.onnx': {},
      'onnx/decoder_model.onnx': {},
      'onnx/decoder_model_merged.onnx': {},
      'config.json': '{"model_type":"whisper"}',
      'generation_config.json': '{"lang_to_id":{"<|en|>":50259}}',
      'tokenizer.json': '{}',
    },
    kind: 'whisper',
    roles: ['languageIdentifier'],
    files: {
      encoder: 'onnx/encoder_model_quantized.onnx',
      decoder: 'onnx/decoder_model.onnx',
      decoderMerged: 'onnx/decoder_model_merged.onnx',
      config: 'config.json',
      generationConfig: 'generation_config.json',
      tokenizer: 'tokenizer.json',
    },
  },
  {
    what: 'a streaming Paraformer',
    put: {
      'encoder.onnx': { lfr_window_size: '7', decoder_num_blocks: '16' },
      'decoder.onnx': {},
      'tokens.txt': '',
    },
    kind: 'online-paraformer',
    files: { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' },
  },
  ...(
    [
      ['offline-sense-voice', { model_type: 'sense_voice_ctc' }],
      ['offline-paraformer', { model_type: 'paraformer' }],
      ['offline-nemo-ctc', { model_type: 'EncDecCTCModelBPE' }],
      ['online-nemo-ctc', { model_type: 'EncDecHybridRNNTCTCBPEModel', chunk_shift: '112' }],
      ['offline-zipformer-ctc', { model_type: 'zipformer2_ctc' }],
      ['online-zipformer2-ctc', { model_type: 'zipformer2', decode_chunk_len: '32' }],
    ] as const
  ).map(([kind, metadata]) => ({
    what: kind,
    put: { 'model.int8.onnx': metadata, 'tokens.txt': '', 'silero_vad.onnx': {} },
    kind,
    files: { model: 'model.int8.onnx', tokens: 'tokens.txt' },
  })),
  {
    what: 'Moonshine in an encoder and a decoder, identified by the input of the encoder',
    put: { 'encoder_model.onnx': ['input_values'], 'decoder_model_merged.onnx': {} },
    kind: 'moonshine',
    files: { encoder: 'encoder_model.onnx', decoder: 'decoder_model_merged.onnx' },
  },
  {
    what: 'Moonshine as Hugging Face has it, with variants',
    put: {
      'config.json': '{"model_type":"moonshine"}',
      'tokenizer.json': '{}',
      'onnx/encoder_model.onnx': {},
      'onnx/encoder_model_quantized.onnx': {},
      'onnx/decoder_model_merged.onnx': {},
      'onnx/decoder_model_merged_quantized.onnx': {},
    },
    kind: 'moonshine',
    files: {
      encoder: 'onnx/encoder_model_quantized.onnx',
      decoder: 'onnx/decoder_model_merged_quantized.onnx',
      tokenizer: 'tokenizer.json',
      config: 'config.json',
    },
  },
  {
    what: 'an online punctuation model',
    put: { 'model.onnx': {}, 'bpe.vocab': 'x' },
    kind: 'punctuation',
    roles: ['punctuator'],
    files: { model: 'model.onnx', bpeVocab: 'bpe.vocab' },
  },
  {
    what: 'a CT-transformer, whose vocabulary in the metadata is too long to keep',
    put: { 'model.onnx': { tokens: 'word|'.repeat(100_000), model_type: 'ct_transformer' } },
    kind: 'punctuation',
    roles: ['punctuator'],
    files: { model: 'model.onnx' },
  },
  {
    what: 'models of diarization, by metadata whatever their names',
    put: {
      'sherpa-onnx-pyannote-segmentation-3-0/model.onnx': { powerset_max_classes: '2', num_classes: '7' },
      'voices.onnx': { framework: 'wespeaker', output_dim: '256' },
    },
    kind: 'speaker-diarization',
    roles: ['diarizer'],
    files: { segmentation: 'sherpa-onnx-pyannote-segmentation-3-0/model.onnx', embedding: 'voices.onnx' },
  },
  {
    what: 'a text classifier of Hugging Face',
    put: {
      'config.json':
        '{"architectures":["DistilBertForSequenceClassification"],"id2label":{"0":"NEGATIVE","1":"POSITIVE"}}',
      'tokenizer.json': '{}',
      'onnx/model.onnx': {},
    },
    kind: 'text-classification',
    roles: ['sentimentAnalyzer'],
    files: { model: 'onnx/model.onnx', config: 'config.json', tokenizer: 'tokenizer.json' },
  },
  {
    what: 'a detector of voice',
    put: { 'silero_vad.onnx': {} },
    kind: 'silero-vad',
    roles: ['voiceDetector'],
    files: { model: 'silero_vad.onnx' },
  },
];

test.each(CASES)('identifies $what', async ({ put: files, kind, roles = ['recognizer'], files: found }) => {
  await put(files);
  expect(await inspect()).toEqual({ kind, roles, files: found });
});

describe('an unknown directory', () => {
  test('is reported when it is missing, with the command that lists models', async () => {
    await expect(inspectModel(join(directory, 'none'))).rejects.toMatchObject({
      code: 'engine-missing',
      message: expect.stringMatching(/Cannot read the model directory '.*none'.*rxscribe model list/),
    });
  });

  test('is reported when it is empty', async () => {
    await expect(inspectModel(directory)).rejects.toMatchObject({
      code: 'engine-missing',
      message: expect.stringContaining(directory),
    });
  });

  test('lists the files that are there and those that are supported', async () => {
    await put({ 'encoder.onnx': {}, 'decoder.onnx': {}, 'notes.txt': '' });
    await expect(inspectModel(directory)).rejects.toMatchObject({
      code: 'engine-missing',
      message: expect.stringMatching(
        /contains decoder.onnx, encoder.onnx, notes.txt. The supported models.*joiner/s,
      ),
    });
  });

  test('does not accept a Whisper of one language as an identifier of languages', async () => {
    await put({
      'onnx/encoder_model.onnx': {},
      'onnx/decoder_model.onnx': {},
      'config.json': '{}',
      'generation_config.json': '{}',
    });
    await expect(inspectModel(directory)).rejects.toMatchObject({ code: 'engine-missing' });
  });

  test.each([
    ['takes features', { 'encoder_model.onnx': ['input_features'] }],
    ['is no graph at all', { 'encoder_model.onnx': {} }],
    [
      'is of another family',
      { 'encoder_model.onnx': ['input_values'], 'config.json': '{"model_type":"other"}' },
    ],
  ])('does not accept Moonshine when its encoder %s', async (_, files) => {
    await put({ ...files, 'decoder_model_merged.onnx': {} });
    await expect(inspectModel(directory)).rejects.toMatchObject({ code: 'engine-missing' });
  });

  test('does not accept a text encoder as a classifier', async () => {
    await put({
      'config.json': '{"architectures":["BertModel"],"id2label":{"0":"LABEL_0"}}',
      'tokenizer.json': '{}',
      'model.onnx': {},
    });
    await expect(inspectModel(directory)).rejects.toMatchObject({ code: 'engine-missing' });
  });
});

test('accepts links to files, as in the cache of Hugging Face', async () => {
  await put({ 'blobs/abc': '' });
  await writeFile(join(directory, 'blobs/abc'), onnxFile());
  await symlink(join(directory, 'blobs/abc'), join(directory, 'silero_vad.onnx'));
  expect(await inspect()).toMatchObject({ kind: 'silero-vad' });
});
