import { RxscribeError } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { languageName } from '../../protocol/language.ts';
import type { Recognizer, RecognizerSessionOptions } from '../recognizer.ts';
import {
  languageFor,
  refused,
  requireCount,
  requireRecognizerOptions,
  segmentFrames,
} from '../recognizerChecks.ts';
import { recognizeWhole } from '../recognizeWhole.ts';
import { type StreamedSession, streamed, type WholeUtterance } from '../streamed.ts';
import { createVoiceDetector, VOICE_SAMPLE_RATE } from '../voice/voiceDetector.ts';
import type { SessionKind } from '../workMeter.ts';
import { heardIn } from './answer.ts';
import { DEFAULT_REQUESTS, OpenAiServer, type OpenAiServerOptions } from './server.ts';

export interface OpenAiRecognizerOptions extends OpenAiServerOptions {
  /** ISO 639-1 codes of what the server knows. With several, it finds the language of sessions without one. Default: English. */
  readonly languages?: readonly string[] | undefined;
  /** Seconds of new audio before the utterance in progress is sent again; 0 for no partials. Default 1. */
  readonly partialSeconds?: number | undefined;
  /** Limit of open streams, at least 1. Default 64. */
  readonly maxSessions?: number | undefined;
  /** Seconds of silence that end an utterance, 0.1 to 5. Default 0.5. */
  readonly pauseSeconds?: number | undefined;
}

const DEFAULTS = { languages: ['en'], partialSeconds: 1, maxSessions: 64 } as const;
/** Whisper's models take 30 s. */
const MAX_SEGMENT_SECONDS = 28;
/** Time for which a failing request is repeated. A stream whose session fails comes again with its audio. */
const RETRY_MS: Readonly<Record<SessionKind, number>> = { stream: 20_000, recording: 1_800_000 };
/** Whisper reads 224 tokens of a prompt. */
const MAX_PROMPT = 800;
const MAX_PHRASE = 100;
const TOO_LONG = `It has more than ${MAX_PHRASE} characters.`;

/**
 * Creates a recogniser that has its utterances transcribed by a server with OpenAI's interface: OpenAI, speaches, whisper.cpp,
 * vLLM, LocalAI, or a service with `--doors openai`.
 *
 * A voice detector cuts the audio. A request that fails is repeated for 20 s in streams, whose session then fails, and for half
 * an hour in recordings. Partials are best effort.
 *
 * @throws InvalidArgumentError
 * @example
 * await using recognizer = createOpenAiRecognizer({ url: 'http://127.0.0.1:8000/v1', languages: ['en', 'de'] });
 */
export function createOpenAiRecognizer(options: OpenAiRecognizerOptions): Recognizer {
  requireOptions(options);
  const { languages = DEFAULTS.languages, partialSeconds = DEFAULTS.partialSeconds, pauseSeconds } = options;
  const { maxSessions = DEFAULTS.maxSessions, maxRequests = DEFAULT_REQUESTS } = options;
  const findsLanguage = languages.length > 1;
  const server = new OpenAiServer(options);
  const sessions = new Map<StreamedSession, SessionKind>();
  let isClosed = false;

  async function open(session: RecognizerSessionOptions = {}, kind: SessionKind = 'stream') {
    const { signal, phrases = [] } = session;
    const language =
      findsLanguage && session.language === undefined ? undefined : languageFor(session, languages);
    const maxSegmentFrames = segmentFrames(session, MAX_SEGMENT_SECONDS, VOICE_SAMPLE_RATE);
    const prompt = promptOf(phrases.filter(phrase => !isLong(phrase)));
    if (kind === 'stream' && server.fault) await server.check();
    const detector = await createVoiceDetector();
    signal?.throwIfAborted();
    const streams = [...sessions.values()].filter(each => each === 'stream').length;
    if (isClosed || (kind === 'stream' && streams >= maxSessions)) {
      detector[Symbol.dispose]();
      const reason = isClosed ? 'the recogniser is closed' : `all ${maxSessions} are in use`;
      throw new RxscribeError('unavailable', `Cannot open a session: ${reason}.`);
    }
    const hear = async ({ samples, isPartial, signal }: WholeUtterance) => {
      const retryMs = isPartial ? 0 : RETRY_MS[kind];
      const answer = await server.transcribe({ samples, language, prompt, retryMs, signal });
      return heardIn(answer, samples.length, language ?? languageAmong(languages, answer.language));
    };
    const opened: StreamedSession = streamed(hear, detector, {
      ...{ pauseSeconds, maxSegmentFrames, kind, signal, maxWaiting: kind === 'stream' ? 4 : maxRequests },
      partialSeconds: partialSeconds > 0 ? partialSeconds : undefined,
      onClose: () => void sessions.delete(opened),
    });
    sessions.set(opened, kind);
    return opened;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all([...sessions.keys()].map(session => session.close()));
  }

  return {
    name: 'openai',
    capabilities: {
      ...{ languages, findsLanguage, sampleRate: VOICE_SAMPLE_RATE, partials: partialSeconds > 0 },
      ...{ confidences: true, customVocabulary: true, recordingsAtOnce: maxRequests },
    },
    warm: () => server.check(),
    fault: () => server.fault,
    open: session => open(session),
    inspectPhrases: async phrases => phrases.filter(isLong).map(phrase => ({ phrase, reason: TOO_LONG })),
    recognize: async (audio, session) =>
      recognizeWhole(await open(session, 'recording'), audio, session?.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the language that a server names by its code or in English; undefined for one that it was not said to know. */
function languageAmong(languages: readonly string[], named: string | null | undefined): string | undefined {
  const name = named?.toLowerCase();
  return languages.find(code => code === name || languageName(code) === name);
}

const isLong = (phrase: string) => phrase.length > MAX_PHRASE;

/** Returns the first phrases that a server reads. */
function promptOf(phrases: readonly string[]): string | undefined {
  let prompt = '';
  for (const phrase of new Set(phrases)) {
    const longer = prompt === '' ? phrase : `${prompt}, ${phrase}`;
    if (longer.length > MAX_PROMPT) break;
    prompt = longer;
  }
  return prompt || undefined;
}

function requireOptions(options: OpenAiRecognizerOptions): void {
  const {
    languages = DEFAULTS.languages,
    partialSeconds = DEFAULTS.partialSeconds,
    ...others
  } = namedOptions('OpenAiRecognizerOptions', options);
  requireRecognizerOptions(others);
  requireCount('maxRequests', others.maxRequests);
  if (languages.length === 0 || languages.some(code => !/^[a-z]{2,3}$/.test(code)))
    throw refused('languages', 'codes of ISO 639', languages.join(','));
  if (!(partialSeconds === 0 || (partialSeconds >= 0.2 && partialSeconds <= 30)))
    throw refused('partialSeconds', '0, or from 0.2 to 30', partialSeconds);
}
