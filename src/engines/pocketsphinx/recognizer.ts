import { availableParallelism } from 'node:os';
import { InvalidArgumentError, RxscribeError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { ProcessSession } from '../process/processSession.ts';
import {
  DEFAULT_MAX_SEGMENT_SECONDS,
  type Recognizer,
  type RecognizerCapabilities,
  type RecognizerSessionOptions,
} from '../recognizer.ts';
import { recognizeWhole } from '../recognizeWhole.ts';
import { DEFAULT_ENDPOINTER_OPTIONS } from '../voice/endpointer.ts';
import { SAMPLE_RATE } from './decoder.ts';
import { DecoderPool } from './decoderPool.ts';
import { type LocateOptions, locatePocketSphinx } from './locate.ts';
import type { SessionStart } from './messages.ts';
import { PhraseReader } from './phraseReader.ts';

export interface PocketSphinxOptions extends LocateOptions {
  /** Sessions at a time; each is a process of some 130 MB. */
  readonly maxSessions?: number;
  /** Decoders loaded ahead of need: a session then opens at once, otherwise after some 0.4 s. */
  readonly spareDecoders?: number;
  /** Seconds of silence that end an utterance, 0.1 to 5. */
  readonly pauseSeconds?: number;
}

export const DEFAULT_POCKETSPHINX_OPTIONS = {
  /** A core decodes four to five live streams. */
  maxSessions: Math.floor(4.5 * availableParallelism()),
  spareDecoders: 1,
  pauseSeconds: DEFAULT_ENDPOINTER_OPTIONS.pauseSeconds,
} as const;

const CAPABILITIES: RecognizerCapabilities = {
  languages: ['en'],
  sampleRate: SAMPLE_RATE,
  partials: true,
  confidences: true,
  customVocabulary: true,
  alternatives: true,
};

/**
 * English speech by PocketSphinx, each session in a process of its own.
 *
 * Small and old: expect a third to a half of the words to be wrong. A session with phrases opens half a second later,
 * the first one whose words have to be pronounced after some 3 s. Needs Debian's `libpocketsphinx3` and
 * `pocketsphinx-en-us`, installed or fetched by `installPocketSphinx()`.
 */
export function createPocketSphinxRecognizer(options: PocketSphinxOptions = {}): Recognizer {
  const locate = () => locatePocketSphinx(options);
  const pauseSeconds = validPause(options);
  const pool = new DecoderPool({
    locate,
    maxSessions: options.maxSessions ?? DEFAULT_POCKETSPHINX_OPTIONS.maxSessions,
    spareDecoders: options.spareDecoders ?? DEFAULT_POCKETSPHINX_OPTIONS.spareDecoders,
  });
  const reader = new PhraseReader(locate);
  const sessions = new Set<ProcessSession<SessionStart>>();
  let closed = false;

  async function open(sessionOptions: RecognizerSessionOptions = {}, whole = false) {
    const maxSegmentFrames = validSegmentFrames(sessionOptions);
    const alternatives = validAlternatives(sessionOptions);
    const { signal, phrases = [] } = sessionOptions;
    const decoder = await pool.take(signal);
    try {
      const vocabulary = await untilAborted(vocabularyOf(phrases), signal);
      signal?.throwIfAborted();
      const release = async () => {
        sessions.delete(session);
        await pool.release(decoder);
      };
      const start = { maxSegmentFrames, alternatives, pauseSeconds, whole, vocabulary };
      const session: ProcessSession<SessionStart> = new ProcessSession(
        { ...decoder, release },
        { start, sampleRate: SAMPLE_RATE, signal },
      );
      sessions.add(session);
      await session.started;
      return session;
    } catch (error) {
      await pool.release(decoder);
      signal?.throwIfAborted();
      if (closed) throw new RxscribeError('unavailable', 'open PocketSphinx session: the engine is closed');
      throw error;
    }
  }

  /** What a decoder has to know of phrases; undefined when there is nothing. */
  async function vocabularyOf(phrases: readonly string[]) {
    if (phrases.length === 0) return undefined;
    const { vocabulary } = await reader.read(phrases);
    return vocabulary.phrases === '' ? undefined : vocabulary;
  }

  async function close(): Promise<void> {
    closed = true;
    await Promise.all([...sessions].map(session => session.close()));
    await Promise.all([pool.close(), reader.close()]);
  }

  return {
    name: 'pocketsphinx',
    capabilities: CAPABILITIES,
    warm: () => pool.warm(),
    open: sessionOptions => open(sessionOptions),
    inspectPhrases: async phrases => (phrases.length > 0 ? (await reader.read(phrases)).faults : []),
    recognize: async (audio, sessionOptions) =>
      recognizeWhole(await open(sessionOptions, true), audio, sessionOptions?.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function validPause({
  pauseSeconds = DEFAULT_POCKETSPHINX_OPTIONS.pauseSeconds,
}: PocketSphinxOptions): number {
  if (pauseSeconds >= 0.1 && pauseSeconds <= 5) return pauseSeconds;
  throw new InvalidArgumentError(
    `create PocketSphinx recogniser: pauseSeconds must be 0.1 to 5, found ${pauseSeconds}`,
  );
}

function validSegmentFrames(options: RecognizerSessionOptions): number {
  const { language = 'en', maxSegmentSeconds = DEFAULT_MAX_SEGMENT_SECONDS } = options;
  if (!CAPABILITIES.languages.includes(language)) {
    throw new InvalidArgumentError(`open PocketSphinx session: language must be en, found ${language}`);
  }
  if (!(maxSegmentSeconds >= 1 && maxSegmentSeconds <= 300)) {
    throw new InvalidArgumentError(
      `open PocketSphinx session: maxSegmentSeconds must be 1 to 300, found ${maxSegmentSeconds}`,
    );
  }
  return Math.round(maxSegmentSeconds * SAMPLE_RATE);
}

function validAlternatives({ alternatives = 0 }: RecognizerSessionOptions): number {
  if (Number.isInteger(alternatives) && alternatives >= 0 && alternatives <= 100) return alternatives;
  throw new InvalidArgumentError(
    `open PocketSphinx session: alternatives must be 0 to 100, found ${alternatives}`,
  );
}
