import type { BrandNames } from '../../protocol/brand.ts';
import type { HttpLimits } from '../limits.ts';
import type { Region } from '../region.ts';

/** What the reference has to know of a service. */
export interface ReferenceOptions {
  readonly region: Region;
  readonly names: BrandNames;
  readonly limits: HttpLimits;
  /** Bytes of one message of a stream. */
  readonly messageBytes: number;
}
