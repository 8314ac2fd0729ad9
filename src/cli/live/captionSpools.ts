import { existsSync, rmSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import { type SpoolFlags, spoolPaths } from '../flags/spoolOptions.ts';

/** Spool files of a run, none of which existed before it. */
export interface CaptionSpools {
  /** Removes all files, when the transcript is safe. @throws RxscribeError `store` */
  remove(): void;
  /** Returns the commands that finish what is left: one for each file. */
  commands(): readonly string[];
}

export function captionSpools(flags: SpoolFlags): CaptionSpools {
  const paths = spoolPaths(flags);
  return {
    remove() {
      for (const path of paths) removeFile(path);
    },
    commands: () => paths.filter(existsSync).map(path => resumeLine(path, { keyFile: flags.spoolKeyFile })),
  };
}

/** Returns the note on audio that is still in a spool. */
export function spoolNote(command: string): string {
  return `The audio is kept. To finish the transcript, run: ${command}`;
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new RxscribeError('store', `Cannot remove the spool '${path}': ${fileReason(cause)}.`, { cause });
  }
}
