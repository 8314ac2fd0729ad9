import {
  type AudioContentType,
  CHANNELS_RANGE,
  formatContentType,
} from '../../../audio/format/contentType.ts';
import type { SampleFormat } from '../../../audio/format/format.ts';
import { VOCABULARY_LIMITS } from '../../../protocol/limits.ts';
import { phraseFault } from '../../../protocol/vocabularies.ts';
import { type Fault, refuse } from '../../areas/faults.ts';

/** Sample formats and containers by the names of encodings. */
const RAW: Readonly<Record<string, SampleFormat>> = {
  linear16: 'S16LE',
  linear32: 'S32LE',
  mulaw: 'MULAW',
  alaw: 'ALAW',
};
const CONTAINERS = { flac: 'flac', opus: 'ogg', 'ogg-opus': 'ogg' } as const satisfies Record<string, string>;
const ENCODINGS = [...Object.keys(RAW), ...Object.keys(CONTAINERS)];
/** Sample rate of telephony, where G.711 comes from. */
const G711_RATE = '8000';

/** Names of the parameters of both interfaces that have an effect, or no effect that anybody misses. */
const COMMON = [
  ...['model', 'version', 'tier', 'language', 'punctuate', 'smart_format', 'diarize', 'diarize_model'],
  ...['keyterm', 'keywords', 'profanity_filter', 'filler_words', 'mip_opt_out', 'tag', 'extra'],
];
const OF_STREAMS = ['encoding', 'sample_rate', 'channels', 'multichannel', 'interim_results'];
const OF_UTTERANCES = ['utterance_end_ms', 'vad_events'];
const STREAM_NAMES: ReadonlySet<string> = new Set([...COMMON, ...OF_STREAMS, ...OF_UTTERANCES]);
const RECORDING_NAMES: ReadonlySet<string> = new Set([...COMMON, 'utterances', 'utt_split']);

/** Parameters without which results are not what was asked for, or go nowhere. */
const REFUSED = ['callback', 'redact'];

/** Options of streams and recordings. */
export interface ListenOptions {
  /** Fields of a stream and of a submission that have the same names in both. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** True for text with punctuation, capitals and numbers. */
  readonly isWritten: boolean;
  readonly hasSpeakers: boolean;
  /** Names without effect. */
  readonly ignored: readonly string[];
}

/** Options of a stream. */
export interface LiveOptions extends ListenOptions {
  /** Type of the audio of one session. */
  readonly contentType: AudioContentType;
  /** Number of sessions, each with a channel of its own. */
  readonly sessions: number;
  /** Number of channels in the audio, as far as the client says. */
  readonly channels: number;
  readonly hasInterim: boolean;
  /** Milliseconds without words after which an utterance has ended. */
  readonly utteranceEndMs?: number;
  readonly hasSpeechEvents: boolean;
}

/** Options of a recording. */
export interface RecordingOptions extends ListenOptions {
  readonly hasUtterances: boolean;
  /** Seconds without words that separate utterances. */
  readonly utteranceGapSeconds: number;
}

const isOn = (query: URLSearchParams, name: string) => query.getAll(name).at(-1)?.toLowerCase() === 'true';

function commonOptions(query: URLSearchParams, names: ReadonlySet<string>): ListenOptions {
  refuse(REFUSED.filter(name => query.get(name)).map(name => [name, 'is not supported by this service']));
  const isWritten = isOn(query, 'punctuate') || isOn(query, 'smart_format');
  const language = query.get('language');
  const phrases = phrasesOf(query);
  return {
    fields: {
      // The recogniser of the default language is the one that there always is.
      ...(language && language !== 'multi' && { language }),
      ...(phrases.length > 0 && { custom_vocabularies: [{ phrases }] }),
      filter_profanity: isOn(query, 'profanity_filter'),
      remove_disfluencies: !isOn(query, 'filler_words'),
      skip_postprocessing: !isWritten,
    },
    isWritten,
    hasSpeakers: isOn(query, 'diarize') || Boolean(query.get('diarize_model')),
    ignored: [...new Set(query.keys())].filter(name => !names.has(name)),
  };
}

/** Returns the phrases to favour, of which old clients give the weight behind a colon. */
function phrasesOf(query: URLSearchParams): readonly string[] {
  const words = query.getAll('keywords').map(word => word.replace(/:-?[\d.]*$/, ''));
  const phrases = [...query.getAll('keyterm'), ...words].map(phrase => phrase.trim());
  const usable = phrases.filter(phrase => phrase !== '' && phraseFault(phrase) === undefined);
  return [...new Set(usable)].slice(0, VOCABULARY_LIMITS.phrases);
}

/** @throws ProblemError `invalidParameters` */
export function recordingOptions(query: URLSearchParams): RecordingOptions {
  const split = Number(query.get('utt_split') || 0.8);
  return {
    ...commonOptions(query, RECORDING_NAMES),
    hasUtterances: isOn(query, 'utterances'),
    utteranceGapSeconds: split >= 0 ? split : 0.8,
  };
}

/** @throws ProblemError `invalidParameters` */
export function liveOptions(query: URLSearchParams): LiveOptions {
  const faults: Fault[] = [];
  const integer = (name: string, fallback: string) => {
    const text = query.get(name) || fallback;
    if (!/^\d{1,6}$/.test(text)) faults.push([name, 'must be a whole number']);
    return Number(text);
  };
  const encoding = query.get('encoding')?.toLowerCase();
  const sampleFormat = encoding ? RAW[encoding] : undefined;
  if (encoding && !ENCODINGS.includes(encoding)) {
    faults.push(['encoding', `must be one of ${ENCODINGS.join(', ')}, or absent for a container`]);
  }
  const channels = integer('channels', '1');
  if (channels > CHANNELS_RANGE.max) faults.push(['channels', `must be at most ${CHANNELS_RANGE.max}`]);
  const isApart = isOn(query, 'multichannel') && channels > 1;
  if (isApart && !sampleFormat) faults.push(['multichannel', 'needs a raw encoding such as linear16']);
  const sampleRate = sampleFormat ? integer('sample_rate', encoding?.endsWith('law') ? G711_RATE : '') : 0;
  const utteranceEndMs = integer('utterance_end_ms', '0');
  refuse(faults);
  const hasInterim = isOn(query, 'interim_results');
  return {
    ...commonOptions(query, STREAM_NAMES),
    contentType: sampleFormat
      ? {
          kind: 'raw',
          layout: 'interleaved',
          format: { sampleFormat, sampleRate, channels: isApart ? 1 : channels },
        }
      : { kind: CONTAINERS[encoding as keyof typeof CONTAINERS] ?? 'any' },
    sessions: isApart ? channels : 1,
    channels,
    hasInterim,
    ...(hasInterim && utteranceEndMs > 0 && { utteranceEndMs }),
    hasSpeechEvents: isOn(query, 'vad_events'),
  };
}

/** Returns the query of a session. */
export function sessionQuery({ fields, contentType, hasSpeakers, ignored }: LiveOptions): URLSearchParams {
  const query = new URLSearchParams({
    content_type: formatContentType(contentType),
    detailed_partials: 'true',
    enable_speaker_switch: String(hasSpeakers),
  });
  for (const [name, value] of Object.entries(fields)) {
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  // The session logs the names that it does not know. Those that it knows have no effect: the first value counts.
  for (const name of ignored) query.append(name, '');
  return query;
}
