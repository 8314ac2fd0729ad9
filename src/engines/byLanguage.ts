import { InvalidArgumentError } from '../base/errors.ts';
import type { EngineWork, Recognizer, RecognizerSessionOptions, RecognizerUsage } from './recognizer.ts';

/**
 * Joins recognisers of different languages: each session uses the first one that knows its language. Only the first is loaded in
 * advance.
 *
 * @throws InvalidArgumentError for recognisers of the same language, or of different sample rates
 * @example
 * const recognizer = byLanguage([createMoonshineRecognizer(), createMoonshineRecognizer({ model: spanish })]);
 */
export function byLanguage(recognizers: readonly [Recognizer, ...Recognizer[]]): Recognizer {
  const [first, ...others] = recognizers;
  if (others.length === 0) return first;
  const all = recognizers.map(({ capabilities }) => capabilities);
  const languages = all.flatMap(each => each.languages);
  const twice = languages.find((language, index) => languages.indexOf(language) < index);
  if (twice !== undefined) throw new InvalidArgumentError(`Two recognisers know the language '${twice}'.`);
  if (all.some(({ sampleRate }) => sampleRate !== first.capabilities.sampleRate))
    throw new InvalidArgumentError('Recognisers of several languages must have the same sample rate.');
  const knowing = ({ language = 'en' }: RecognizerSessionOptions = {}) =>
    recognizers.find(({ capabilities }) => capabilities.languages.includes(language)) ?? first;
  const close = async () => void (await Promise.all(recognizers.map(each => each.close())));
  return {
    name: first.name,
    capabilities: {
      ...first.capabilities,
      languages,
      partials: all.some(({ partials }) => partials),
      confidences: all.every(({ confidences }) => confidences),
      customVocabulary: all.every(({ customVocabulary }) => customVocabulary),
    },
    warm: () => first.warm(),
    open: async options => knowing(options).open(options),
    recognize: async (audio, options) => knowing(options).recognize(audio, options),
    inspectPhrases: phrases => first.inspectPhrases(phrases),
    fault: () => recognizers.map(each => each.fault?.()).find(Boolean),
    ...(recognizers.every(({ usage }) => usage) && {
      usage: () => sumOf(recognizers.map(each => each.usage!())),
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the use of recognisers that share the processors and have the same limits. */
function sumOf(all: readonly RecognizerUsage[]): RecognizerUsage {
  let sum = all[0]!;
  for (const other of all.slice(1)) {
    sum = {
      ...sum,
      streams: sum.streams + other.streams,
      quickStreams: (sum.quickStreams ?? 0) + (other.quickStreams ?? 0),
      streamWork: added(sum.streamWork, other.streamWork),
      recordingWork: added(sum.recordingWork, other.recordingWork),
      lagMs: Math.max(sum.lagMs, other.lagMs),
    };
  }
  return sum;
}

function added(one: EngineWork, other: EngineWork): EngineWork {
  return {
    processorSeconds: one.processorSeconds + other.processorSeconds,
    decodingSeconds: one.decodingSeconds + other.decodingSeconds,
    yieldingSeconds: one.yieldingSeconds + other.yieldingSeconds,
    audioSeconds: one.audioSeconds + other.audioSeconds,
  };
}
