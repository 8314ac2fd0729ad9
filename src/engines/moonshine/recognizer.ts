import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { RxscribeError } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { PAIRED_MODEL, SMALL_MODEL } from '../models/catalogue.ts';
import { embeddedModel, ensureEmbeddedModel } from '../models/embeddedModel.ts';
import type { ModelDirectory } from '../models/modelDirectory.ts';
import { findNativeLibrary } from '../native/nativeLibrary.ts';
import { readPhrase } from '../phrases/readPhrase.ts';
import type {
  PhraseFault,
  Recognizer,
  RecognizerCapabilities,
  RecognizerSessionOptions,
  RecognizerUsage,
} from '../recognizer.ts';
import {
  languageFor,
  refused,
  requireCount,
  requireRecognizerOptions,
  segmentFrames,
} from '../recognizerChecks.ts';
import { recognizeWhole } from '../recognizeWhole.ts';
import { languagesOf } from '../sherpa/languages.ts';
import { DEFAULT_PAUSE_SECONDS } from '../voice/endpointer.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import { measuredWork, type SessionKind } from '../workMeter.ts';
import type { MoonshineSetup } from './child.ts';
import { DecoderPool, PARTIALS_SHARE } from './decoderPool.ts';
import { MoonshineSession } from './session.ts';

export interface MoonshineRecognizerOptions {
  /**
   * Model of kind `moonshine`. Default: English, downloaded on first use: base with tiny for partials, or tiny alone without the
   * native library, a second core or 4 GB of memory.
   */
  readonly model?: ModelDirectory;
  /** Default: `native` where the platform has the library, else `wasm`. */
  readonly runtime?: 'native' | 'wasm';
  /** Limit of open streams. Default: 12 for each core, 2 with WebAssembly. */
  readonly maxSessions?: number;
  /** Limit of processes, each with the model. Default: one for each core. */
  readonly processes?: number;
  /** Seconds of silence that end an utterance, 0.1 to 5. Default 0.5. */
  readonly pauseSeconds?: number;
  /** True when words include the model's capitals and marks (`written`). Default true. */
  readonly writes?: boolean;
}

export const MOONSHINE_RECOGNIZER_DEFAULTS = {
  sessionsPerCore: { native: 12, wasm: 2 },
  processes: availableParallelism(),
  pauseSeconds: DEFAULT_PAUSE_SECONDS,
} as const;

/** Limit of an utterance: longer ones cost more, and the model begins to repeat itself. */
const MAX_UTTERANCE_SECONDS = 15;
/** Utterances of a stream that may wait for decoding before it accepts no more audio. */
const STREAM_WAITING = 2;

/**
 * Recordings share the processes utterance by utterance, so that a short one does not wait for a long one.
 * With two for each process, one is read while another is recognised: four recordings of 5 minutes take a
 * fifth less time on two cores.
 */
const RECORDINGS_PER_PROCESS = 2;

/** Seconds of decoding for the finals of a second in which somebody speaks: half more than the mean, for slower machines. */
const EXPECTED_COST = { native: 0.05, wasm: 0.2 } as const;

/** Phrases that are checked before the event loop gets a turn, after some milliseconds. */
const PHRASES_AT_ONCE = 500;

const CAPABILITIES: Omit<RecognizerCapabilities, 'languages'> = {
  sampleRate: VOICE_SAMPLE_RATE,
  partials: true,
  confidences: true,
  customVocabulary: true,
};

/**
 * Creates a recogniser with Moonshine, of English speech or that of the model, in child processes that sessions share.
 *
 * A process takes some 300 MB, 200 MB with the tiny model alone, and another session 6 MB. If a process ends, the
 * next one decodes its utterance again, unnoticed by the sessions. `open()` rejects with `unavailable` when all
 * sessions are in use or finals are late. Utterances end after 15 s at the latest, even with a higher segment limit.
 *
 * @example
 * await using recognizer = createMoonshineRecognizer();
 * const finals = await recognizer.recognize([samples]);
 */
export function createMoonshineRecognizer(options: MoonshineRecognizerOptions = {}): Recognizer {
  requireOptions(options);
  const library = options.runtime === 'wasm' ? undefined : findNativeLibrary();
  const limits = limitsOf(options, library);
  const { maxSessions, processes } = limits;
  const languages = options.model ? languagesOf(options.model) : ['en'];
  const setup = async () => ({ ...(await filesOf(options, library)), library, language: languages[0] });
  const pool = new DecoderPool(setup, processes);
  const sessions = new Set<MoonshineSession>();

  async function openStream(sessionOptions?: RecognizerSessionOptions): Promise<MoonshineSession> {
    requireRoom(pool, maxSessions);
    return open(sessionOptions, 'stream', STREAM_WAITING);
  }

  async function open(
    sessionOptions: RecognizerSessionOptions = {},
    kind: SessionKind,
    maxWaiting: number,
  ): Promise<MoonshineSession> {
    const { signal, phrases = [] } = sessionOptions;
    languageFor(sessionOptions, languages);
    const maxSegmentFrames = segmentFrames(sessionOptions, MAX_UTTERANCE_SECONDS, VOICE_SAMPLE_RATE);
    signal?.throwIfAborted();
    const leave = pool.enter(kind);
    try {
      await pool.warm(signal);
      const { pauseSeconds = MOONSHINE_RECOGNIZER_DEFAULTS.pauseSeconds, writes = true } = options;
      const unusable = new Set((await faultsOf(phrases)).map(({ phrase }) => phrase));
      const list = pool.phraseList(phrases.filter(phrase => !unusable.has(phrase)));
      const session: MoonshineSession = new MoonshineSession({
        pool,
        detector: await createVoiceDetector(),
        pauseSeconds,
        maxSegmentFrames,
        phrases: list,
        ...{ kind, maxWaiting, writes, signal },
        isQuick: kind === 'stream' && pool.isSlow,
        onClose: () => {
          sessions.delete(session);
          pool.forget(list);
          leave();
        },
      });
      sessions.add(session);
      return session;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map(session => session.close()));
    await pool.close();
  }

  return {
    name: 'moonshine',
    capabilities: { ...CAPABILITIES, languages, recordingsAtOnce: RECORDINGS_PER_PROCESS * processes },
    warm: () => pool.warm(),
    open: openStream,
    inspectPhrases: faultsOf,
    recognize: async (audio, sessionOptions) =>
      recognizeWhole(await open(sessionOptions, 'recording', 2 * processes), audio, sessionOptions?.signal),
    usage: () => usageOf(pool, [...sessions], limits),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function limitsOf(options: MoonshineRecognizerOptions, library: string | undefined) {
  const { sessionsPerCore, processes } = MOONSHINE_RECOGNIZER_DEFAULTS;
  const runtime = library ? 'native' : 'wasm';
  return {
    maxSessions: options.maxSessions ?? sessionsPerCore[runtime] * availableParallelism(),
    processes: options.processes ?? processes,
    expectedCost: EXPECTED_COST[runtime],
  };
}

function requireRoom(pool: DecoderPool, maxSessions: number): void {
  const { streams } = pool;
  if (streams < maxSessions && !pool.isBehind) return;
  const reason =
    streams >= maxSessions
      ? `all ${maxSessions} are in use. Close one, then try again.`
      : `the results of ${streams} sessions are late. Try again later.`;
  throw new RxscribeError('unavailable', `Cannot open a Moonshine session: ${reason}`);
}

function usageOf(
  { streams, meter }: DecoderPool,
  sessions: readonly MoonshineSession[],
  { maxSessions, processes, expectedCost }: ReturnType<typeof limitsOf>,
): RecognizerUsage {
  return {
    streams,
    maxStreams: maxSessions,
    decoders: Math.min(processes, availableParallelism()),
    yieldingShare: PARTIALS_SHARE,
    expectedCost,
    quickStreams: sessions.filter(({ isQuick }) => isQuick).length,
    ...measuredWork(meter, sessions),
  };
}

type Files = Pick<MoonshineSetup, 'files' | 'partials'>;

/** Returns the files of a model, by default of the embedded one, which is downloaded if it is missing. */
async function filesOf({ model }: MoonshineRecognizerOptions, library: string | undefined): Promise<Files> {
  if (model) return filesIn(model);
  const embedded = library ? embeddedModel() : SMALL_MODEL;
  const path = await ensureEmbeddedModel({ model: embedded });
  const filesNamed = (prefix: string) => ({
    encoder: join(path, `${prefix}encoder_model.onnx`),
    decoder: join(path, `${prefix}decoder_model_merged.onnx`),
  });
  return {
    files: filesNamed(''),
    partials: embedded === PAIRED_MODEL ? filesNamed('partials_') : undefined,
  };
}

/** @throws RxscribeError `engine-missing` when the model lacks a file */
function filesIn({ path, files }: ModelDirectory): Files {
  const { encoder, decoder, partialsEncoder, partialsDecoder } = files;
  if (encoder && decoder) {
    const hasPartials = partialsEncoder && partialsDecoder;
    const partials = hasPartials ? { encoder: partialsEncoder, decoder: partialsDecoder } : undefined;
    return { files: { encoder, decoder }, partials };
  }
  throw new RxscribeError(
    'engine-missing',
    `Cannot load the model '${path}': its encoder or decoder is missing.`,
  );
}

async function faultsOf(phrases: readonly string[]): Promise<readonly PhraseFault[]> {
  const faults: PhraseFault[] = [];
  for (const [index, phrase] of phrases.entries()) {
    if (index % PHRASES_AT_ONCE === PHRASES_AT_ONCE - 1) await setImmediate();
    const read = readPhrase(phrase);
    if ('reason' in read) faults.push({ phrase, reason: read.reason });
  }
  return faults;
}

function requireOptions(options: MoonshineRecognizerOptions): void {
  const { model, processes } = namedOptions('MoonshineRecognizerOptions', options);
  if (model && model.kind !== 'moonshine') throw refused('model', "of kind 'moonshine'", `'${model.kind}'`);
  requireRecognizerOptions(options);
  requireCount('processes', processes);
}
