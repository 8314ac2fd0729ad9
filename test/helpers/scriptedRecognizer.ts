import { Subject } from 'rxjs';
import { InvalidArgumentError, RxscribeError } from '../../src/base/errors.ts';
import {
  RECOGNIZER_SESSION_DEFAULTS,
  type RecognizedWord,
  type Recognizer,
  type RecognizerResult,
  type RecognizerSession,
  type RecognizerSessionOptions,
  type RecognizerUsage,
} from '../../src/engines/recognizer.ts';
import { recognizeWhole } from '../../src/engines/recognizeWhole.ts';
import { createWorkMeter, type SessionKind, type WorkMeter } from '../../src/engines/workMeter.ts';

const SAMPLE_RATE = 16_000;
/** 100 ms: one word, or silence. */
export const SCRIPTED_WINDOW_FRAMES = SAMPLE_RATE / 10;
/** Mean absolute sample values are rounded to a multiple of this; level 0 is silence. */
export const LEVEL_STEP = 64;
const PAUSE_WINDOWS = 3;

export interface ScriptedRecognizerOptions {
  /** Default: `en` alone. */
  readonly languages?: readonly string[];
  /** Beyond it `open()` rejects with `unavailable`. Default: no bound. */
  readonly maxSessions?: number;
  /** Awaited by each write: a test holds the engine by it. */
  readonly beforeWrite?: () => Promise<void>;
  /** After so many seconds of audio the session errors with `engine-failed`. */
  readonly failAfterSeconds?: number;
  /** Seconds of decoding that a second of audio is said to take. Default: the engine measures nothing. */
  readonly cost?: number;
  /** Returns the lag that it reports, in milliseconds. Default: none. */
  readonly lagMs?: () => number;
}

export interface ScriptedRecognizer extends Recognizer {
  /** Sessions neither closed nor finished. */
  readonly openSessions: number;
  /** The options of every session so far. */
  readonly opened: readonly RecognizerSessionOptions[];
}

/**
 * For tests only: an engine whose words are a pure function of the samples.
 *
 * Each 100 ms of a loudness n (mean absolute sample value / 64) is the word `w<n>`, also after resampling; 300 ms of
 * silence end an utterance. Confidences are a hash of the samples: a single wrong sample changes one.
 *
 * @example
 * const engine = createScriptedRecognizer();
 * await session.write(scriptedSpeech([4, 7, 0, 0, 0, 9])); // partial w4, partial w4 w7, final w4 w7, partial w9
 */
export function createScriptedRecognizer(options: ScriptedRecognizerOptions = {}): ScriptedRecognizer {
  const sessions = new Set<RecognizerSession>();
  const opened: RecognizerSessionOptions[] = [];
  const meter = createWorkMeter();
  let streams = 0;
  const { languages = ['en'] } = options;
  let closed = false;
  async function open(
    sessionOptions: RecognizerSessionOptions = {},
    kind: SessionKind = 'stream',
  ): Promise<RecognizerSession> {
    sessionOptions.signal?.throwIfAborted();
    const { language = 'en' } = sessionOptions;
    if (!languages.includes(language))
      throw new InvalidArgumentError(`open scripted session: no ${language}`);
    if (closed)
      throw new RxscribeError('unavailable', 'Cannot open a scripted session: the engine is closed.');
    if (sessions.size >= (options.maxSessions ?? Number.POSITIVE_INFINITY)) {
      throw new RxscribeError('unavailable', `open scripted session: all ${sessions.size} are in use`);
    }
    // A signal would keep all of a stream that listens to it in memory.
    opened.push({ ...sessionOptions, signal: undefined });
    const change = kind === 'stream' ? 1 : 0;
    streams += change;
    const onEnd = () => {
      sessions.delete(session);
      streams -= change;
    };
    const onHeard = (seconds: number) => {
      const spentMs = seconds * (options.cost ?? 0) * 1000;
      meter.hear(kind, seconds);
      meter.spend(kind, { processorMs: spentMs, elapsedMs: spentMs });
    };
    const session = scriptedSession(options, sessionOptions, { onEnd, onHeard });
    sessions.add(session);
    return session;
  }
  async function close(): Promise<void> {
    closed = true;
    for (const session of [...sessions]) await session.close();
  }
  return {
    name: 'scripted (tests only)',
    capabilities: {
      languages,
      sampleRate: SAMPLE_RATE,
      partials: true,
      confidences: true,
      customVocabulary: true,
    },
    get openSessions() {
      return sessions.size;
    },
    opened,
    warm: async () => {},
    // A phrase with a digit is one that it cannot use, so that tests have one.
    inspectPhrases: async phrases =>
      phrases
        .filter(phrase => /\d/.test(phrase))
        .map(phrase => ({ phrase, reason: 'no pronunciation is known' })),
    open,
    recognize: async (audio, sessionOptions) =>
      recognizeWhole(await open(sessionOptions, 'recording'), audio, sessionOptions?.signal),
    ...(options.cost !== undefined && { usage: () => usageOf(options, meter, streams) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function usageOf(options: ScriptedRecognizerOptions, meter: WorkMeter, streams: number): RecognizerUsage {
  const { maxSessions = 100, cost = 0, lagMs = () => 0 } = options;
  return {
    streams,
    maxStreams: maxSessions,
    decoders: 1,
    yieldingShare: 0,
    expectedCost: cost,
    streamWork: meter.workFor('stream'),
    recordingWork: meter.workFor('recording'),
    lagMs: lagMs(),
  };
}

/**
 * The audio of words for the scripted recogniser: 100 ms of each level, 0 for silence.
 *
 * @param levels whole numbers from 0 to 500
 */
export function scriptedSpeech(levels: readonly number[]): Int16Array {
  const samples = new Int16Array(levels.length * SCRIPTED_WINDOW_FRAMES);
  for (const [index, level] of levels.entries()) {
    samples.fill(level * LEVEL_STEP, index * SCRIPTED_WINDOW_FRAMES, (index + 1) * SCRIPTED_WINDOW_FRAMES);
  }
  return samples;
}

/** Transcript of the scripted recogniser for a whole recording, without a session. */
export function scriptedResults(
  samples: Int16Array,
  maxSegmentSeconds = RECOGNIZER_SESSION_DEFAULTS.maxSegmentSeconds,
): readonly RecognizerResult[] {
  const results: RecognizerResult[] = [];
  let state = startOfScript;
  for (let frame = 0; frame + SCRIPTED_WINDOW_FRAMES <= samples.length; frame += SCRIPTED_WINDOW_FRAMES) {
    const window = samples.subarray(frame, frame + SCRIPTED_WINDOW_FRAMES);
    const step = next(state, window, maxSegmentSeconds);
    state = step.state;
    results.push(...step.results);
  }
  return [...results, ...flush(state)];
}

interface ScriptState {
  readonly frame: number;
  readonly silentWindows: number;
  readonly words: readonly RecognizedWord[];
}

const startOfScript: ScriptState = { frame: 0, silentWindows: 0, words: [] };

function next(
  state: ScriptState,
  window: Int16Array,
  maxSegmentSeconds: number,
): { state: ScriptState; results: readonly RecognizerResult[] } {
  const frame = state.frame + window.length;
  const level = levelOf(window);
  if (level === 0) {
    const silent = { ...state, frame, silentWindows: state.silentWindows + 1 };
    if (silent.silentWindows < PAUSE_WINDOWS) return { state: silent, results: [] };
    return { state: { ...startOfScript, frame }, results: flush(silent) };
  }
  const confidence = hashOf(window);
  const word = { value: `w${level}`, startFrame: state.frame, endFrame: frame, confidence };
  const words = [...state.words, word];
  const partial = resultOf('partial', words);
  if (frame - words[0]!.startFrame < maxSegmentSeconds * SAMPLE_RATE) {
    return { state: { frame, silentWindows: 0, words }, results: [partial] };
  }
  const final = { ...resultOf('final', words), cut: true };
  return { state: { ...startOfScript, frame }, results: [partial, final] };
}

function flush(state: ScriptState): readonly RecognizerResult[] {
  return state.words.length > 0 ? [resultOf('final', state.words)] : [];
}

/** The state with a word for the rest of a window, as a recogniser guesses a word that is cut. */
function withRest(state: ScriptState, rest: Int16Array): ScriptState {
  if (rest.length < SAMPLE_RATE / 100 || levelOf(rest) === 0) return state;
  const word = {
    value: 'wpart',
    startFrame: state.frame,
    endFrame: state.frame + rest.length,
    confidence: 0,
  };
  return { ...state, words: [...state.words, word] };
}

function resultOf(type: 'partial' | 'final', words: readonly RecognizedWord[]): RecognizerResult {
  return { type, startFrame: words[0]!.startFrame, endFrame: words.at(-1)!.endFrame, words };
}

/** The loudness of a window, as in {@link scriptedSpeech}. */
export function levelOf(window: Int16Array): number {
  let sum = 0;
  for (const sample of window) sum += Math.abs(sample);
  return Math.round(sum / window.length / LEVEL_STEP);
}

/** FNV-1a over the samples, as a number from 0 to 1 with three decimals. */
function hashOf(window: Int16Array): number {
  let hash = 0x811c9dc5;
  for (const sample of window) hash = Math.imul(hash ^ (sample & 0xffff), 0x01000193) >>> 0;
  return (hash % 1001) / 1000;
}

function scriptedSession(
  options: ScriptedRecognizerOptions,
  sessionOptions: RecognizerSessionOptions,
  { onEnd, onHeard }: { readonly onEnd: () => void; readonly onHeard: (seconds: number) => void },
): RecognizerSession {
  const { maxSegmentSeconds = RECOGNIZER_SESSION_DEFAULTS.maxSegmentSeconds, signal } = sessionOptions;
  const results = new Subject<RecognizerResult>();
  let state = startOfScript;
  let rest = new Int16Array(0);
  let ended = false;
  const end = (settle: () => void) => {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', onAbort);
    onEnd();
    settle();
  };
  const onAbort = () => end(() => results.complete());
  signal?.addEventListener('abort', onAbort, { once: true });
  const closed = () => new RxscribeError('aborted', 'write to scripted session: it has ended');

  function take(samples: Int16Array): void {
    const all = new Int16Array(rest.length + samples.length);
    all.set(rest);
    all.set(samples, rest.length);
    let used = 0;
    for (; used + SCRIPTED_WINDOW_FRAMES <= all.length; used += SCRIPTED_WINDOW_FRAMES) {
      const step = next(state, all.subarray(used, used + SCRIPTED_WINDOW_FRAMES), maxSegmentSeconds);
      state = step.state;
      for (const result of step.results) results.next(result);
    }
    rest = all.slice(used);
  }

  return {
    results$: results.asObservable(),
    async write(samples) {
      if (ended) throw closed();
      const copy = samples.slice();
      await options.beforeWrite?.();
      if (ended) throw closed();
      onHeard(copy.length / SAMPLE_RATE);
      take(copy);
      if (state.frame >= (options.failAfterSeconds ?? Number.POSITIVE_INFINITY) * SAMPLE_RATE) {
        const failure = new RxscribeError('engine-failed', 'scripted session: failed as the test asked');
        end(() => results.error(failure));
        throw failure;
      }
    },
    async flush() {
      if (ended) throw closed();
      await options.beforeWrite?.();
      if (ended) throw closed();
      for (const result of flush(state)) results.next(result);
      state = { ...startOfScript, frame: state.frame };
    },
    async finish() {
      if (ended) return;
      for (const result of flush(withRest(state, rest))) results.next(result);
      end(() => results.complete());
    },
    async close() {
      onAbort();
    },
    async [Symbol.asyncDispose]() {
      onAbort();
    },
  };
}
