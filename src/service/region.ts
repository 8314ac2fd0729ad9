import { ProblemError } from './problems.ts';

/** A deployment: accounts are its own, and some have fewer features. */
export type RegionName = 'us' | 'eu';

/** The parts of the interface that have jobs. */
export type AreaName = 'speechToText' | 'legacy' | 'languageId' | 'alignment' | 'sentiment' | 'vocabularies';

/** Which parts of the interface a deployment has. Requests to the others are answered with 404. */
export interface Region {
  readonly areas: readonly AreaName[];
  readonly streaming: boolean;
  /** Parameters of submissions that are answered with 404 as well: with any value, or with these. */
  readonly unsupported: Readonly<Record<string, 'any' | readonly string[]>>;
}

export const REGIONS: Readonly<Record<RegionName, Region>> = {
  us: {
    areas: ['speechToText', 'legacy', 'languageId', 'alignment', 'sentiment', 'vocabularies'],
    streaming: true,
    unsupported: {},
  },
  eu: {
    areas: ['speechToText'],
    streaming: false,
    unsupported: { custom_vocabulary_id: 'any', transcriber: ['human'] },
  },
};

/** @throws ProblemError `unsupportedApi` when a submission has what the deployment does not */
export function refuseUnsupported({ unsupported }: Region, submission: unknown): void {
  for (const [name, values] of Object.entries(unsupported)) {
    const value = (submission as Record<string, unknown> | null | undefined)?.[name];
    const isGiven = value !== undefined && value !== null && value !== '';
    if (isGiven && (values === 'any' || values.includes(String(value)))) {
      throw new ProblemError('unsupportedApi', { detail: `${name} is not supported in this deployment` });
    }
  }
}
