import { existsSync, rmSync } from 'node:fs';
import { messageOf, RxscribeError } from '../../base/errors.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import { type SpoolFlags, spoolPaths } from '../flags/spoolOptions.ts';

/** The spool files of a run, none of which was there before it. */
export interface CaptionSpools {
  /** The transcript is safe. @throws RxscribeError `store` */
  remove(): void;
  /** The commands that finish what is left, one for each file that there is. */
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

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new RxscribeError('store', `remove the spool ${path}: ${messageOf(cause)}`, { cause });
  }
}
