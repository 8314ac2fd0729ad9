import { ProblemError } from './problems.ts';

/** A deployment. Each has its own accounts, and some have fewer features. */
export type RegionName = 'us' | 'eu';

/** The areas of the interface that have jobs. */
export type AreaName = 'speechToText' | 'legacy' | 'languageId' | 'alignment' | 'sentiment' | 'vocabularies';

/** The features of a deployment. Requests to other areas are answered with 404. */
export interface Region {
  readonly areas: readonly AreaName[];
  readonly streaming: boolean;
  /** True when people can transcribe at the desk. */
  readonly desk: boolean;
  /** Parameters of submissions that are answered with 404: with any value, or with one of these. */
  readonly unsupported: Readonly<Record<string, 'any' | readonly string[]>>;
}

/** Missing functions, for parameters whose own name does not describe them. */
const FUNCTIONS: Readonly<Record<string, string>> = { transcriber: 'Human transcription' };

export const REGIONS: Readonly<Record<RegionName, Region>> = {
  us: {
    areas: ['speechToText', 'legacy', 'languageId', 'alignment', 'sentiment', 'vocabularies'],
    streaming: true,
    desk: true,
    unsupported: {},
  },
  eu: {
    areas: ['speechToText'],
    streaming: false,
    desk: false,
    unsupported: { custom_vocabulary_id: 'any', transcriber: ['human'] },
  },
};

/** @throws ProblemError `unsupportedApi` when a submission has a parameter that the deployment does not support */
export function refuseUnsupported({ unsupported }: Region, submission: unknown): void {
  for (const [name, values] of Object.entries(unsupported)) {
    const value = (submission as Record<string, unknown> | null | undefined)?.[name];
    const isGiven = value !== undefined && value !== null && value !== '';
    if (isGiven && (values === 'any' || values.includes(String(value)))) {
      throw new ProblemError('unsupportedApi', {
        detail: `${FUNCTIONS[name] ?? name} is not supported in this deployment.`,
      });
    }
  }
}
