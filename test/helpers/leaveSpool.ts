import { join } from 'node:path';
import { openSpool } from '../../src/client/spool/openSpool.ts';
import type { SpoolNote, SpoolSubject } from '../../src/client/spool/spool.ts';
import { temporaryDirectory } from './dataDirectory.ts';
import { SCRIPTED_FORMAT } from './repairRun.ts';
import { SCRIPTED_WINDOW_FRAMES, scriptedSpeech } from './scriptedRecognizer.ts';

export interface SpoolToLeave extends Partial<SpoolSubject> {
  readonly levels: readonly number[];
  readonly notes?: readonly SpoolNote[];
  /** Windows without audio. */
  readonly gap?: readonly [from: number, to: number];
  readonly key?: Uint8Array;
}

/** A spool with scripted speech, as a process that is no more has left it; gives its path. */
export async function leaveSpool({
  levels,
  notes = [],
  gap = [0, 0],
  key,
  ...subject
}: SpoolToLeave): Promise<string> {
  const path = join(await temporaryDirectory(), 'talk.spool');
  const spool = openSpool({
    path,
    subject: { addresses: [], query: { skipPostprocessing: true }, marginSeconds: 2, ...subject },
    format: SCRIPTED_FORMAT,
    key,
  });
  const samples = scriptedSpeech(levels);
  for (let window = 0; window < levels.length; window++) {
    if (window >= gap[0] && window < gap[1]) continue;
    const startFrame = window * SCRIPTED_WINDOW_FRAMES;
    const part = samples.slice(startFrame, startFrame + SCRIPTED_WINDOW_FRAMES);
    spool.store.append({ startFrame, frames: SCRIPTED_WINDOW_FRAMES, bytes: new Uint8Array(part.buffer) });
  }
  for (const note of notes) spool.note(note);
  spool.close();
  return path;
}
