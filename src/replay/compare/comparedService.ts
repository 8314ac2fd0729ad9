import type { SuiteService } from '../suite/suiteService.ts';

/** One of the services that are compared. */
export interface ComparedService extends SuiteService {
  /** As tables show it; unique. */
  readonly name: string;
}
