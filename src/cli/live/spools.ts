import { existsSync } from 'node:fs';
import { removeSpool } from '../../client/spool/openSpool.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import { type SpoolFlags, spoolPaths } from '../flags/spoolOptions.ts';

/** Removes the spools of a run whose transcript is saved. @throws RxscribeError `store` */
export function removeSpools(flags: SpoolFlags): void {
  for (const path of spoolPaths(flags)) removeSpool(path);
}

/** Returns a note for each spool of a run that is left, with the command that finishes it. */
export function spoolNotes(flags: SpoolFlags): readonly string[] {
  return spoolPaths(flags)
    .filter(existsSync)
    .map(path => resumeLine(path))
    .map(command => `The audio is kept. To finish the transcript, run: ${command}`);
}
