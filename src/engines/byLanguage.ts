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

/** Returns the use of recognisers that share the processors. */
function sumOf(all: readonly RecognizerUsage[]): RecognizerUsage {
  const sum = (value: (usage: RecognizerUsage) => number) =>
    all.reduce((total, each) => total + value(each), 0);
  const most = (value: (usage: RecognizerUsage) => number) => Math.max(...all.map(value));
  const workOf = (work: (usage: RecognizerUsage) => EngineWork): EngineWork => ({
    processorSeconds: sum(each => work(each).processorSeconds),
    decodingSeconds: sum(each => work(each).decodingSeconds),
    yieldingSeconds: sum(each => work(each).yieldingSeconds),
    audioSeconds: sum(each => work(each).audioSeconds),
  });
  return {
    streams: sum(({ streams }) => streams),
    maxStreams: most(({ maxStreams }) => maxStreams),
    decoders: most(({ decoders }) => decoders),
    yieldingShare: most(({ yieldingShare }) => yieldingShare),
    expectedCost: most(({ expectedCost }) => expectedCost),
    quickStreams: sum(({ quickStreams = 0 }) => quickStreams),
    streamWork: workOf(({ streamWork }) => streamWork),
    recordingWork: workOf(({ recordingWork }) => recordingWork),
    lagMs: most(({ lagMs }) => lagMs),
  };
}
