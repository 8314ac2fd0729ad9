import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from '../../base/errors.ts';
import {
  DEFAULT_MAX_SEGMENT_SECONDS,
  type Recognizer,
  type RecognizerCapabilities,
  type RecognizerSessionOptions,
} from '../recognizer.ts';
import { recognizeWhole } from '../recognizeWhole.ts';
import { SAMPLE_RATE } from './decoder.ts';
import { DecoderPool } from './decoderPool.ts';
import { type LocateOptions, locatePocketSphinx } from './locate.ts';
import { PocketSphinxSession } from './session.ts';

export interface PocketSphinxOptions extends LocateOptions {
  /** Sessions at a time; each is a process of some 140 MB. */
  readonly maxSessions?: number;
  /** Decoders loaded ahead of need: a session then opens at once, otherwise after some 0.4 s. */
  readonly spareDecoders?: number;
}

export const DEFAULT_POCKETSPHINX_OPTIONS = {
  /** A core decodes four to five live streams. */
  maxSessions: Math.floor(4.5 * availableParallelism()),
  spareDecoders: 1,
} as const;

const CAPABILITIES: RecognizerCapabilities = {
  languages: ['en'],
  sampleRate: SAMPLE_RATE,
  partials: true,
  confidences: true,
  customVocabulary: false,
};

/**
 * English speech by PocketSphinx, each session in a process of its own.
 *
 * Small and old: expect a third to a half of the words to be wrong. Needs Debian's `libpocketsphinx3` and
 * `pocketsphinx-en-us`, installed or fetched by `installPocketSphinx()`.
 */
export function createPocketSphinxRecognizer(options: PocketSphinxOptions = {}): Recognizer {
  const pool = new DecoderPool({
    locate: () => locatePocketSphinx(options),
    maxSessions: options.maxSessions ?? DEFAULT_POCKETSPHINX_OPTIONS.maxSessions,
    spareDecoders: options.spareDecoders ?? DEFAULT_POCKETSPHINX_OPTIONS.spareDecoders,
  });

  const sessions = new Set<PocketSphinxSession>();

  async function open(sessionOptions: RecognizerSessionOptions = {}, twoPasses = false) {
    const maxSegmentFrames = validSegmentFrames(sessionOptions);
    const { signal } = sessionOptions;
    const decoder = await pool.take(signal);
    if (signal?.aborted) {
      await pool.release(decoder);
      throw signal.reason;
    }
    const session = new PocketSphinxSession(decoder, {
      release: async ended => {
        sessions.delete(ended);
        await pool.release(decoder);
      },
      signal,
    });
    sessions.add(session);
    decoder.send({ type: 'start', maxSegmentFrames, twoPasses });
    return session;
  }

  async function close(): Promise<void> {
    await Promise.all([...sessions].map(session => session.close()));
    await pool.close();
  }

  return {
    name: 'pocketsphinx',
    capabilities: CAPABILITIES,
    warm: () => pool.warm(),
    open: sessionOptions => open(sessionOptions),
    inspectPhrases: async phrases =>
      phrases.map(phrase => ({ phrase, reason: 'this recogniser takes no phrases' })),
    recognize: async (audio, sessionOptions) =>
      recognizeWhole(await open(sessionOptions, true), audio, sessionOptions?.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function validSegmentFrames(options: RecognizerSessionOptions): number {
  const { language = 'en', phrases = [], maxSegmentSeconds = DEFAULT_MAX_SEGMENT_SECONDS } = options;
  if (!CAPABILITIES.languages.includes(language)) {
    throw new InvalidArgumentError(`open PocketSphinx session: language must be en, found ${language}`);
  }
  if (phrases.length > 0) {
    throw new InvalidArgumentError('open PocketSphinx session: phrases cannot be favoured');
  }
  if (!(maxSegmentSeconds >= 1 && maxSegmentSeconds <= 300)) {
    throw new InvalidArgumentError(
      `open PocketSphinx session: maxSegmentSeconds must be 1 to 300, found ${maxSegmentSeconds}`,
    );
  }
  return Math.round(maxSegmentSeconds * SAMPLE_RATE);
}
