import { availableParallelism } from 'node:os';
import { namedOptions } from '../../base/namedOptions.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import type { Recognizer, RecognizerCapabilities, RecognizerSessionOptions } from '../recognizer.ts';
import {
  languageFor,
  refused,
  requireCount,
  requireRecognizerOptions,
  segmentFrames,
} from '../recognizerChecks.ts';
import { recognizeWhole } from '../recognizeWhole.ts';
import { DEFAULT_PAUSE_SECONDS } from '../voice/endpointer.ts';
import { createWorkMeter, measuredWork, type SessionKind } from '../workMeter.ts';
import { languagesOf } from './languages.ts';
import {
  type DecodingMethod,
  isOnline,
  recognizerTask,
  supportsPhrases,
  timeScaleOf,
} from './nativeConfig.ts';
import { SherpaSession } from './session.ts';
import { createSherpaPool, requireModelFiles, type SherpaPool } from './sherpaPool.ts';
import { SAMPLE_RATE, type SherpaTask } from './tasks.ts';
import { createHotwords, type Hotwords } from './tokens/hotwords.ts';

export interface SherpaRecognizerOptions {
  readonly model: ModelDirectory;
  /**
   * Model of kind `silero-vad` that cuts speech for offline models. Default: the voice detector of WebRTC.
   */
  readonly voiceModel?: ModelDirectory;
  /** Limit of open streams, at least 1. Default: four for each core. */
  readonly maxSessions?: number;
  /** Number of cores for sessions, at least 1; phrases and other languages add processes. Default: all. */
  readonly threads?: number;
  /** Seconds of silence that end an utterance, 0.1 to 5. Default 0.5. */
  readonly pauseSeconds?: number;
  /**
   * Default: `modified_beam_search` for sessions with phrases, which need it, otherwise `greedy_search`,
   * which all models support.
   */
  readonly decodingMethod?: DecodingMethod;
  /** Bonus of each token of a phrase, more than 0. Default 1.5. */
  readonly hotwordsScore?: number;
  /** ISO 639-1 codes. Default: by the model, else English. */
  readonly languages?: readonly string[];
}

export const SHERPA_RECOGNIZER_DEFAULTS = {
  maxSessions: 4 * availableParallelism(),
  threads: availableParallelism(),
  pauseSeconds: DEFAULT_PAUSE_SECONDS,
  hotwordsScore: 1.5,
} as const;

/** Number of online sessions of a process before another one starts. */
const SESSIONS_PER_PROCESS = 4;
/**
 * Seconds of decoding for each second of a stream, until they are measured: as many as the default limit allows, since models
 * differ by a factor of ten.
 */
const EXPECTED_COST = 0.2;
/** Limit below Whisper's window of 30 s. */
const WHISPER_SEGMENT_SECONDS = 28;

/**
 * Creates a recogniser with a model of sherpa-onnx, in child processes that sessions share.
 *
 * Online models give partials; offline models recognise whole utterances, cut by a voice detector.
 * Transducers give confidences. With models that give no times (Moonshine, old Whisper exports, streaming
 * Paraformers), words are spread over the utterance. A session with phrases on an online model loads its own
 * copy of the model; Whisper and SenseVoice are loaded again for another language.
 *
 * If the library crashes, the sessions of its process fail with `engine-failed`: up to four of an online
 * model with the default options, all of an offline one. The service and later sessions continue.
 *
 * @example
 * const recognizer = createSherpaRecognizer({ model: await inspectModel('models/zipformer-en') });
 */
export function createSherpaRecognizer(options: SherpaRecognizerOptions): Recognizer {
  requireOptions(options);
  const { model, voiceModel } = options;
  const online = isOnline(model.kind);
  const pool = createPool(options);
  const hotwords = createHotwords(model, options.decodingMethod);
  const capabilities = capabilitiesOf(options, hotwords);
  const sessions = new Set<SherpaSession>();
  const meter = createWorkMeter();

  async function open(sessionOptions: RecognizerSessionOptions = {}, kind: SessionKind = 'stream') {
    const { signal, phrases = [] } = sessionOptions;
    const language = languageFor(sessionOptions, capabilities.languages);
    const maxSegmentFrames = segmentFrames(sessionOptions, mostSecondsOf(model), SAMPLE_RATE);
    const { lines } = await hotwords.read(phrases);
    const task = await taskFor(options, language, lines);
    // A process for these phrases is of no use to other sessions.
    if (voiceModel) await requireModelFiles(voiceModel);
    const lasting = !online || lines.length === 0;
    const channel = await pool.take(task, { lasting, counts: kind === 'stream', signal });
    const settings = { maxSegmentFrames, ...(!online && lines.length > 0 && { hotwords: lines.join('/') }) };
    const release = () => {
      sessions.delete(session);
      return channel.release();
    };
    const session: SherpaSession = new SherpaSession({ ...channel, release }, settings, {
      kind,
      meter,
      signal,
    });
    sessions.add(session);
    try {
      signal?.throwIfAborted();
      await session.started;
      return session;
    } catch (error) {
      await session.close();
      signal?.throwIfAborted();
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map(session => session.close()));
    await pool.close();
  }

  return {
    name: 'sherpa-onnx',
    capabilities,
    async warm() {
      if (voiceModel) await requireModelFiles(voiceModel);
      await pool.warm(await taskFor(options, languageFor({}, capabilities.languages), []));
    },
    open,
    inspectPhrases: async phrases => (await hotwords.read(phrases)).faults,
    recognize: async (audio, sessionOptions) =>
      recognizeWhole(await open(sessionOptions, 'recording'), audio, sessionOptions?.signal),
    usage: () => ({
      ...measuredWork(meter, sessions),
      streams: pool.channels,
      maxStreams: options.maxSessions ?? SHERPA_RECOGNIZER_DEFAULTS.maxSessions,
      // Offline models decode one utterance at a time.
      decoders: online ? Math.min(options.threads ?? Infinity, availableParallelism()) : 1,
      yieldingShare: 0,
      expectedCost: EXPECTED_COST,
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function mostSecondsOf({ kind }: ModelDirectory): number {
  return kind === 'whisper' ? WHISPER_SEGMENT_SECONDS : Infinity;
}

function createPool(options: SherpaRecognizerOptions): SherpaPool {
  const { maxSessions, threads } = SHERPA_RECOGNIZER_DEFAULTS;
  const online = isOnline(options.model.kind);
  return createSherpaPool(options.model, {
    maxChannels: options.maxSessions ?? maxSessions,
    // Online decoding blocks its process, so several processes use the cores. Offline decoding has its own
    // threads.
    maxProcesses: online ? (options.threads ?? threads) : 1,
    channelsPerProcess: online ? SESSIONS_PER_PROCESS : Infinity,
  });
}

function capabilitiesOf(options: SherpaRecognizerOptions, { excuse }: Hotwords): RecognizerCapabilities {
  const { model, languages } = options;
  return {
    languages: languages ?? languagesOf(model),
    sampleRate: SAMPLE_RATE,
    partials: isOnline(model.kind),
    confidences: model.kind === 'online-transducer' || model.kind === 'offline-transducer',
    customVocabulary: excuse === undefined,
  };
}

async function taskFor(
  options: SherpaRecognizerOptions,
  language: string,
  lines: readonly string[],
): Promise<SherpaTask> {
  const { threads, pauseSeconds, hotwordsScore } = SHERPA_RECOGNIZER_DEFAULTS;
  const online = isOnline(options.model.kind);
  return recognizerTask(options.model, {
    threads: online ? 1 : (options.threads ?? threads),
    pauseSeconds: options.pauseSeconds ?? pauseSeconds,
    decodingMethod: options.decodingMethod ?? (lines.length > 0 ? 'modified_beam_search' : 'greedy_search'),
    hotwordsScore: options.hotwordsScore ?? hotwordsScore,
    language,
    voiceModel: options.voiceModel?.files.model,
    timeScale: await timeScaleOf(options.model),
    ...(online && lines.length > 0 && { hotwords: lines.join('\n') }),
  });
}

/**
 * Rejects options that would crash or block the library.
 *
 * @throws InvalidArgumentError
 */
function requireOptions(options: SherpaRecognizerOptions): void {
  const { model, voiceModel, threads, hotwordsScore = 1 } = namedOptions('SherpaRecognizerOptions', options);
  if (voiceModel && voiceModel.kind !== 'silero-vad') {
    throw refused('voiceModel', "of kind 'silero-vad'", `'${voiceModel.kind}'`);
  }
  requireRecognizerOptions(options);
  requireCount('threads', threads);
  if (!(hotwordsScore > 0 && hotwordsScore < Infinity)) {
    throw refused('hotwordsScore', 'more than 0', hotwordsScore);
  }
  // Beam search exists for the models that support phrases.
  if (options.decodingMethod === 'modified_beam_search' && !supportsPhrases(model.kind)) {
    throw refused(
      'decodingMethod',
      `'greedy_search' with models of kind '${model.kind}'`,
      "'modified_beam_search'",
    );
  }
}
