import { join } from 'node:path';
import { openSpool } from '../../src/client/spool/openSpool.ts';
import type { SpoolNote, SpoolSubject } from '../../src/client/spool/spool.ts';
import { temporaryDirectory } from './dataDirectory.ts';
import { SCRIPTED_FORMAT, storeSpeech } from './repairRun.ts';

export interface SpoolToLeave extends Partial<SpoolSubject> {
  readonly levels: readonly number[];
  readonly notes?: readonly SpoolNote[];
  /** Windows without audio. */
  readonly gap?: readonly [from: number, to: number];
}

/** Writes a spool with scripted speech, as a killed process leaves it; resolves with its path. */
export async function leaveSpool({ levels, notes = [], gap, ...subject }: SpoolToLeave): Promise<string> {
  const path = join(await temporaryDirectory(), 'talk.spool');
  const spool = openSpool({
    path,
    subject: { addresses: [], query: { skipPostprocessing: true }, marginSeconds: 2, ...subject },
    format: SCRIPTED_FORMAT,
  });
  storeSpeech(spool.store, levels, gap);
  for (const note of notes) spool.note(note);
  spool.close();
  return path;
}
