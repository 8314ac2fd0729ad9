import type { BrandNames } from '../../protocol/brand.ts';
import type { HttpLimits } from '../limits.ts';
import type { Region } from '../region.ts';

/** The facts about a service that its reference names. */
export interface ReferenceOptions {
  readonly region: Region;
  readonly names: BrandNames;
  readonly limits: HttpLimits;
  /** Bytes of one message of a stream. */
  readonly messageBytes: number;
}
