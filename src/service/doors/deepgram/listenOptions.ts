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
  'model version tier language punctuate smart_format diarize diarize_model profanity_filter filler_words multichannel tag mip_opt_out';
const LIVE = 'encoding sample_rate channels interim_results utterance_end_ms vad_events';
const PHRASES = ' keyterm keywords';
const RECORDED = 'utterances utt_split';
/** Parameters that are refused, as results without them would be wrong or get lost. */
const REFUSED = ['callback', 'redact'];

/** Parameters whose values have a form. Those without effect are checked too, so that a client learns of its mistake. */
const FORMS: readonly { readonly names: string; readonly form: RegExp; readonly wanted: string }[] = [
  {
    names:
      'punctuate smart_format diarize profanity_filter filler_words multichannel mip_opt_out interim_results vad_events utterances ' +
      'detect_entities dictation intents measurements numerals paragraphs sentiment topics',
    form: /^(true|false)$/i,
    wanted: 'true or false',
  },
  { names: 'sample_rate utterance_end_ms', form: /^\d{1,6}$/, wanted: 'a whole number' },
  {
    names: 'channels',
    form: /^([1-9]|10)$/,
    wanted: `a whole number from ${CHANNELS_RANGE.min} to ${CHANNELS_RANGE.max}`,
  },
  { names: 'endpointing', form: /^(true|false|\d{1,6})$/i, wanted: 'a whole number, or false' },
  { names: 'utt_split', form: /^\d{1,6}(\.\d{1,9})?$/, wanted: 'a number of seconds' },
];

/** Returns the faults of values that do not have the form of their parameters. An empty value counts as absent. */
function formFaults(query: URLSearchParams): readonly Fault[] {
  return FORMS.flatMap(({ names, form, wanted }) =>
    names
      .split(' ')
      .filter(name => query.getAll(name).some(value => value !== '' && !form.test(value)))
      .map(name => [name, `must be ${wanted}`] as const),
  );
}

/** Returns the last value of a parameter, which counts. */
const lastOf = (query: URLSearchParams, name: string) => query.getAll(name).at(-1) || undefined;
const isOn = (query: URLSearchParams, name: string) => lastOf(query, name)?.toLowerCase() === 'true';

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

/** Options of a recording. */
export type RecordingOptions = ReturnType<typeof recordingOptions>;

/** @throws ProblemError `invalidParameters` */
export function recordingOptions(query: URLSearchParams, capabilities: Capabilities) {
  refuse(formFaults(query));
  return {
    ...commonOptions(query, RECORDED, capabilities),
    /** True to transcribe each channel apart. */
    isByChannel: isOn(query, 'multichannel'),
    hasUtterances: isOn(query, 'utterances'),
    /** Seconds without words that separate utterances. */
    gapSeconds: Number(lastOf(query, 'utt_split') ?? 0.8),
  };
}

/** Options of a stream. */
export type LiveOptions = ReturnType<typeof liveOptions>;

/** @throws ProblemError `invalidParameters` */
export function liveOptions(query: URLSearchParams, capabilities: Capabilities) {
  const faults: Fault[] = [...formFaults(query)];
  const encoding = lastOf(query, 'encoding')?.toLowerCase() ?? '';
  const sampleFormat = RAW[encoding];
  if (encoding && !ENCODINGS.includes(encoding)) {
    faults.push(['encoding', `must be one of ${ENCODINGS.join(', ')}, or absent for a container`]);
  }
  const isByChannel = isOn(query, 'multichannel');
  if (isByChannel && !sampleFormat) faults.push(['multichannel', 'requires raw audio, with encoding']);
  const rate = lastOf(query, 'sample_rate') ?? (encoding.endsWith('law') ? G711_RATE : undefined);
  if (sampleFormat && rate === undefined) faults.push(['sample_rate', `is required with ${encoding}`]);
  refuse(faults);
  const sampleRate = Number(rate);
  const channels = Number(lastOf(query, 'channels') ?? 1);
  const contentType: AudioContentType = sampleFormat
    ? { kind: 'raw', layout: 'interleaved', format: { sampleFormat, sampleRate, channels } }
    : { kind: CONTAINERS[encoding] ?? 'any' };
  return {
    ...commonOptions(query, LIVE, capabilities),
    contentType,
    /** Sessions, each with one channel; 1 for one with all of them. */
    tracks: isByChannel ? channels : 1,
    hasInterim: isOn(query, 'interim_results'),
    /** Milliseconds without words after which an utterance has ended; 0 for no report. */
    utteranceEndMs: isOn(query, 'interim_results') ? Number(lastOf(query, 'utterance_end_ms') ?? 0) : 0,
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
