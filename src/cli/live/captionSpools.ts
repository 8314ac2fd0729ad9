import { existsSync, rmSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import { type SpoolFlags, spoolPaths } from '../flags/spoolOptions.ts';

/** Removes the spools of a run whose transcript is saved. @throws RxscribeError `store` */
export function removeSpools(flags: SpoolFlags): void {
  for (const path of spoolPaths(flags)) {
    try {
      rmSync(path, { force: true });
    } catch (cause) {
      throw new RxscribeError('store', `Cannot remove the spool '${path}': ${fileReason(cause)}.`, { cause });
    }
  }
}

/** Returns a note for each spool of a run that is left, with the command that finishes it. */
export function spoolNotes(flags: SpoolFlags): readonly string[] {
  return spoolPaths(flags)
    .filter(existsSync)
    .map(path => resumeLine(path, { keyFile: flags.spoolKeyFile }))
    .map(command => `The audio is kept. To finish the transcript, run: ${command}`);
}
