import { languageFault } from '../../protocol/language.ts';
import type { AreaName } from '../region.ts';
import type { TaskEngines } from '../tasks/taskOptions.ts';
import type { Rule } from './submission.ts';

/** Languages supported by the engine of each area; absent without an engine, or for one that takes no language. */
export type AreaLanguages = Readonly<Partial<Record<AreaName, readonly string[]>>>;

/** Returns the languages supported by the engine of each area. */
export function areaLanguages(
  engines: Pick<TaskEngines, 'recognizer' | 'aligner' | 'sentimentAnalyzer'>,
): AreaLanguages {
  const { recognizer, aligner, sentimentAnalyzer } = engines;
  const { languages } = recognizer.capabilities;
  return {
    speechToText: languages,
    legacy: languages,
    alignment: aligner?.languages,
    sentiment: sentimentAnalyzer?.languages,
  };
}

/** Refuses unsupported languages at submission rather than by a failed job. */
export const languageRule: Rule<{ readonly language?: string }> = {
  fields: ['language'],
  *check({ language = 'en' }, { languages }) {
    if (languages && !languages.includes(language)) yield ['language', languageFault(language, languages)];
  },
};
