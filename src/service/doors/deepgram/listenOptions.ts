import {
  type AudioContentType,
  CHANNELS_RANGE,
  formatContentType,
} from '../../../audio/format/contentType.ts';
import type { SampleFormat } from '../../../audio/format/format.ts';
import type { RecognizerCapabilities } from '../../../engines/recognizer.ts';
import { type Fault, refuse } from '../../areas/faults.ts';
import { usablePhrases } from '../phrasesIn.ts';

/** Sample formats and containers by the names of encodings. */
const RAW: Readonly<Record<string, SampleFormat>> = {
  linear16: 'S16LE',
  linear32: 'S32LE',
  mulaw: 'MULAW',
  alaw: 'ALAW',
};
const CONTAINERS: Readonly<Record<string, 'flac' | 'ogg'>> = { flac: 'flac', opus: 'ogg', 'ogg-opus': 'ogg' };
const ENCODINGS = [...Object.keys(RAW), ...Object.keys(CONTAINERS)];
/** Sample rate of telephony, where G.711 comes from. */
const G711_RATE = '8000';

/**
 * Names of the supported parameters, and of those whose missing effect does no harm; then those of streams, and of recordings.
 */
const COMMON =
  'model version tier language punctuate smart_format diarize diarize_model profanity_filter filler_words tag';
const LIVE =
  'encoding sample_rate channels multichannel interim_results utterance_end_ms vad_events mip_opt_out';
const PHRASES = ' keyterm keywords';
const RECORDED = 'utterances utt_split multichannel channels mip_opt_out';
/** Parameters that are refused, as results without them would be wrong or get lost. */
const REFUSED = ['callback', 'redact'];

const isOn = (query: URLSearchParams, name: string) => query.getAll(name).at(-1)?.toLowerCase() === 'true';

/** Capabilities of the recogniser that the options depend on. */
type Capabilities = Pick<RecognizerCapabilities, 'customVocabulary'>;

/** Options of streams and recordings. */
export type ListenOptions = ReturnType<typeof commonOptions>;

function commonOptions(query: URLSearchParams, names: string, { customVocabulary }: Capabilities) {
  refuse(
    REFUSED.filter(name => (query.get(name) || 'false') !== 'false').map(name => [
      name,
      'is not supported by this service',
    ]),
  );
  const known = `${COMMON} ${names}${customVocabulary ? PHRASES : ''}`.split(' ');
  const isWritten = isOn(query, 'punctuate') || isOn(query, 'smart_format');
  const language = query.get('language');
  const phrases = customVocabulary ? phrasesOf(query) : [];
  return {
    /** Fields that a stream and a submission have by the same names. */
    fields: {
      // Only the default language always has a recogniser.
      ...(language && language !== 'multi' && { language }),
      ...(phrases.length > 0 && { custom_vocabularies: [{ phrases }] }),
      filter_profanity: isOn(query, 'profanity_filter'),
      remove_disfluencies: !isOn(query, 'filler_words'),
      skip_postprocessing: !isWritten,
    },
    /** True for text with punctuation, capitals and numbers. */
    isWritten,
    hasSpeakers: isOn(query, 'diarize') || Boolean(query.get('diarize_model')),
    /** Names without effect. */
    ignored: [...new Set(query.keys())].filter(name => !known.includes(name)),
  };
}

/** Returns the phrases to favour. Old clients add a weight after a colon. */
function phrasesOf(query: URLSearchParams): readonly string[] {
  const words = query.getAll('keywords').map(word => word.replace(/:-?[\d.]*$/, ''));
  return usablePhrases([...query.getAll('keyterm'), ...words].map(phrase => phrase.trim()));
}

/** Returns the number of channels to be transcribed apart; 1 for all as one. @throws ProblemError `invalidParameters` */
function channelsApart(query: URLSearchParams, channels: number): number {
  if (!isOn(query, 'multichannel')) return 1;
  const { min, max } = CHANNELS_RANGE;
  const isAllowed = Number.isInteger(channels) && channels >= min && channels <= max;
  refuse(isAllowed ? [] : [['channels', `must be a whole number from ${min} to ${max}`]]);
  return channels;
}

/** Options of a recording. */
export type RecordingOptions = ReturnType<typeof recordingOptions>;

/** @throws ProblemError `invalidParameters` */
export function recordingOptions(query: URLSearchParams, capabilities: Capabilities) {
  return {
    ...commonOptions(query, RECORDED, capabilities),
    /** Channels that are transcribed apart; 1 for all as one. */
    channels: channelsApart(query, Number(query.get('channels') || 2)),
    hasUtterances: isOn(query, 'utterances'),
    /** Seconds without words that separate utterances. */
    gapSeconds: Number(query.get('utt_split') || 0.8),
  };
}

/** Options of a stream. */
export type LiveOptions = ReturnType<typeof liveOptions>;

/** @throws ProblemError `invalidParameters` */
export function liveOptions(query: URLSearchParams, capabilities: Capabilities) {
  const faults: Fault[] = [];
  const integer = (name: string, fallback: string) => {
    const text = query.get(name) || fallback;
    if (!/^\d{1,6}$/.test(text)) faults.push([name, 'must be a whole number']);
    return Number(text);
  };
  const encoding = query.get('encoding')?.toLowerCase() ?? '';
  const sampleFormat = RAW[encoding];
  if (encoding && !ENCODINGS.includes(encoding)) {
    faults.push(['encoding', `must be one of ${ENCODINGS.join(', ')}, or absent for a container`]);
  }
  const channels = integer('channels', '1');
  if (isOn(query, 'multichannel') && !sampleFormat) {
    faults.push(['multichannel', 'requires raw audio, with encoding']);
  }
  const sampleRate = sampleFormat ? integer('sample_rate', encoding.endsWith('law') ? G711_RATE : '') : 0;
  const utteranceEndMs = integer('utterance_end_ms', '0');
  refuse(faults);
  const contentType: AudioContentType = sampleFormat
    ? { kind: 'raw', layout: 'interleaved', format: { sampleFormat, sampleRate, channels } }
    : { kind: CONTAINERS[encoding] ?? 'any' };
  return {
    ...commonOptions(query, LIVE, capabilities),
    contentType,
    /** Sessions, each with one channel; 1 for one with all of them. */
    tracks: channelsApart(query, channels),
    hasInterim: isOn(query, 'interim_results'),
    /** Milliseconds without words after which an utterance has ended; 0 for no report. */
    utteranceEndMs: isOn(query, 'interim_results') ? utteranceEndMs : 0,
    hasSpeechEvents: isOn(query, 'vad_events'),
  };
}

/** Returns the query of a session. */
export function sessionQuery(options: LiveOptions): URLSearchParams {
  const { fields, contentType, tracks, hasSpeakers, ignored } = options;
  const own =
    contentType.kind === 'raw' && tracks > 1
      ? { ...contentType, format: { ...contentType.format, channels: 1 } }
      : contentType;
  const query = new URLSearchParams({
    content_type: formatContentType(own),
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
