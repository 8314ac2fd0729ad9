/** A deployment: accounts are its own, and some have fewer features. */
export type RegionName = 'us' | 'eu';

/** Which parts of the interface a deployment has. Requests to the others are answered with 404. */
export interface Region {
  readonly legacy: boolean;
  readonly streaming: boolean;
}

export const REGIONS: Readonly<Record<RegionName, Region>> = {
  us: { legacy: true, streaming: true },
  eu: { legacy: false, streaming: false },
};
