import type { AreaName } from '../region.ts';
import type { TaskEngines } from '../tasks/taskOptions.ts';
import type { Rule } from './submission.ts';

/** Languages that the engine of an area knows; absent where there is no engine, or none that is told a language. */
export type AreaLanguages = Readonly<Partial<Record<AreaName, readonly string[]>>>;

/** Returns the languages of each area, as its engine knows them. */
export function areaLanguages(
  engines: Pick<TaskEngines, 'recognizer' | 'aligner' | 'sentimentAnalyzer'>,
): AreaLanguages {
  const { recognizer, aligner, sentimentAnalyzer } = engines;
  const { languages } = recognizer.capabilities;
  return {
    speechToText: languages,
    legacy: languages,
    ...(aligner && { alignment: aligner.languages }),
    ...(sentimentAnalyzer && { sentiment: sentimentAnalyzer.languages }),
  };
}

/** Nobody should wait for a job to learn that no engine knows its language. */
export const languageRule: Rule<{ readonly language?: string }> = {
  fields: ['language'],
  *check({ language = 'en' }, { languages }) {
    if (languages && !languages.includes(language)) yield ['language', `must be ${languages.join(' or ')}`];
  },
};
