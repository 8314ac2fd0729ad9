import { InvalidArgumentError } from '../../base/errors.ts';
import type { ModelDirectory, ModelKind } from '../models/modelDirectory.ts';
import { readOnnxMetadata } from '../models/onnxFile.ts';
import { type NativeConfig, SAMPLE_RATE, type SherpaTask } from './tasks.ts';

export type DecodingMethod = 'greedy_search' | 'modified_beam_search';

/** Settings of a recogniser's model. */
export interface RecognizerSetup {
  readonly threads: number;
  readonly pauseSeconds: number;
  readonly decodingMethod: DecodingMethod;
  /** ISO 639-1 code, for models that need one. */
  readonly language: string;
  readonly hotwordsScore: number;
  /** File of a Silero voice detector, for offline models. */
  readonly voiceModel?: string;
  /** See {@link timeScaleOf}. Default 1. */
  readonly timeScale?: number;
  /** Phrases for all streams of an online recogniser, one a line. */
  readonly hotwords?: string;
}

/** Seconds after which silence at the start is dropped, so that the state of a stream stays small. */
const SILENCE_SECONDS = 10;
/** Paraformer's step: its silence counts from the start of the step with the last word. */
const PARAFORMER_SECONDS_AT_ONCE = 0.6;
/** Disables the native segment limit, which also counts silence and is the same for all sessions. */
const NO_LIMIT_SECONDS = 1e9;

/** Returns the task of a recogniser's process. */
export function recognizerTask(model: ModelDirectory, setup: RecognizerSetup): SherpaTask {
  const { pauseSeconds, decodingMethod, hotwordsScore, hotwords, voiceModel, timeScale = 1 } = setup;
  const parts = { ...sharedParts(model, setup), ...modelParts(model, setup) };
  const common = {
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: parts,
    decodingMethod,
    hotwordsScore,
  };
  const { tokens, bpe } = model.files;
  const isParaformer = model.kind.endsWith('paraformer');
  const spelling = spellsByTokens(model) ? { spellBy: { tokens: tokens!, ...(bpe && { bpe }) } } : {};
  if (!isOnline(model.kind)) {
    const voice = voiceModel && { voiceModel };
    return {
      does: 'offline',
      config: common,
      pauseSeconds,
      joinsByMark: isParaformer,
      ...spelling,
      ...voice,
    };
  }
  const endpoints = {
    enableEndpoint: true,
    rule1MinTrailingSilence: SILENCE_SECONDS / timeScale,
    rule2MinTrailingSilence: pauseSeconds / timeScale + (isParaformer ? PARAFORMER_SECONDS_AT_ONCE : 0),
    rule3MinUtteranceLength: NO_LIMIT_SECONDS,
  };
  const favoured = hotwords ? { hotwordsBuf: hotwords, hotwordsBufSize: Buffer.byteLength(hotwords) } : {};
  const config = { ...common, ...endpoints, ...favoured };
  return { does: 'online', config, timeScale, joinsByMark: isParaformer, ...spelling };
}

/** Returns whether a model recognises live, with partials. */
export function isOnline(kind: ModelKind): boolean {
  return kind.startsWith('online-');
}

/** Returns whether a model supports phrases. */
export function supportsPhrases(kind: ModelKind): boolean {
  return kind.endsWith('transducer') && kind !== 'online-nemo-transducer';
}

function spellsByTokens({ kind, files }: ModelDirectory): boolean {
  return supportsPhrases(kind) && files.bpeVocab === undefined;
}

function sharedParts({ files }: ModelDirectory, { threads }: RecognizerSetup): NativeConfig {
  return {
    tokens: files.tokens,
    numThreads: threads,
    provider: 'cpu',
    debug: 0,
    ...(files.bpeVocab && { bpeVocab: files.bpeVocab, modelingUnit: 'bpe' }),
  };
}

function modelParts(model: ModelDirectory, { language }: RecognizerSetup): NativeConfig {
  const { kind, path, files } = model;
  const { encoder, decoder, joiner } = files;
  const one = { model: files.model };
  switch (kind) {
    case 'online-transducer':
    case 'online-nemo-transducer':
    case 'offline-transducer':
      return { transducer: { encoder, decoder, joiner } };
    case 'offline-nemo-transducer':
      return { transducer: { encoder, decoder, joiner }, modelType: 'nemo_transducer' };
    case 'online-paraformer':
      return { paraformer: { encoder, decoder } };
    case 'online-zipformer2-ctc':
      return { zipformer2Ctc: one };
    case 'online-nemo-ctc':
    case 'offline-nemo-ctc':
      return { nemoCtc: one };
    case 'offline-zipformer-ctc':
      return { zipformerCtc: one };
    case 'offline-paraformer':
      return { paraformer: one };
    case 'offline-sense-voice':
      return { senseVoice: { ...one, language, useInverseTextNormalization: 0 } };
    case 'offline-moonshine':
      return { moonshine: moonshineParts(files) };
    case 'whisper':
      return { whisper: { encoder, decoder, language: whisperCode(language), task: 'transcribe' } };
    default:
      throw new InvalidArgumentError(`Model '${path}' of kind '${kind}' cannot recognise speech.`);
  }
}

/** Returns Whisper's language code, which differs for Javanese. */
function whisperCode(language: string): string {
  return language === 'jv' ? 'jw' : language;
}

function moonshineParts(files: ModelDirectory['files']): NativeConfig {
  return {
    preprocessor: files.preprocessor,
    encoder: files.encoder,
    uncachedDecoder: files.uncachedDecoder,
    cachedDecoder: files.cachedDecoder,
  };
}

/**
 * Number of 10 ms frames that the library assumes for a step of NeMo's streaming CTC models, whatever their
 * metadata say.
 */
const ASSUMED_SUBSAMPLING = 4;

/** Returns the seconds that correspond to a second of the library's times with this model. */
export async function timeScaleOf({ kind, files }: ModelDirectory): Promise<number> {
  if (kind !== 'online-nemo-ctc') return 1;
  try {
    const metadata = await readOnnxMetadata(files.model!);
    const subsampling = Number(metadata.get('subsampling_factor'));
    return subsampling > 0 ? subsampling / ASSUMED_SUBSAMPLING : 1;
  } catch {
    // Loading the model will report the problem.
    return 1;
  }
}
