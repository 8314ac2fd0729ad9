import { defaultLanguage } from '../../engines/foundLanguage.ts';
import { languageFault, MORE_LANGUAGES } from '../../protocol/language.ts';
import type { AreaName } from '../region.ts';
import type { TaskEngines } from '../tasks/taskOptions.ts';
import type { EngineLanguages, Rule } from './submission.ts';

/** Languages of the engine of each area; absent without an engine, or for one that takes no language. */
export type AreaLanguages = Readonly<Partial<Record<AreaName, EngineLanguages>>>;

/** Returns the languages supported by the engine of each area. */
export function areaLanguages(
  engines: Pick<TaskEngines, 'recognizer' | 'aligner' | 'sentimentAnalyzer'>,
): AreaLanguages {
  const { recognizer, aligner, sentimentAnalyzer } = engines;
  const spoken = {
    known: recognizer.capabilities.languages,
    byDefault: defaultLanguage(recognizer.capabilities),
    more: MORE_LANGUAGES,
  };
  const of = (engine: { readonly languages: readonly string[] } | undefined) =>
    engine && { known: engine.languages, byDefault: defaultLanguage(engine) };
  return { speechToText: spoken, legacy: spoken, alignment: of(aligner), sentiment: of(sentimentAnalyzer) };
}

/** Refuses unsupported languages at submission rather than by a failed job. */
export const languageRule: Rule<{ readonly language?: string }> = {
  fields: ['language'],
  *check({ language }, { languages }) {
    if (language === undefined || !languages || languages.known.includes(language)) return;
    yield ['language', languageFault(language, languages.known, languages.more)];
  },
};
