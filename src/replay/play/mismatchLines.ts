import { CassetteMismatchError, describeMismatches } from './mismatch.ts';
import type { CassetteServer } from './playServer.ts';

/** What a client that is done did otherwise than the recorded one, each in words of its own. */
export function mismatchLines(server: Pick<CassetteServer, 'check'>): readonly string[] {
  try {
    server.check();
    return [];
  } catch (error) {
    if (!(error instanceof CassetteMismatchError)) throw error;
    return error.mismatches.map(mismatch => describeMismatches([mismatch]));
  }
}
