import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';

export interface SpoolFlags {
  readonly spool?: string;
  readonly channels: number;
  readonly channelsApart?: boolean;
}

/** Returns the spools of a run: one, or one for each channel that has a stream of its own. */
export function spoolPaths({ spool, channels, channelsApart }: SpoolFlags): readonly string[] {
  if (spool === undefined) return [];
  return channelsApart ? Array.from({ length: channels }, (_, channel) => `${spool}.${channel}`) : [spool];
}

/** Checks the places of spools before a recogniser is loaded. @throws InvalidArgumentError */
export function checkSpoolFlags(flags: SpoolFlags): void {
  for (const path of spoolPaths(flags)) checkPath(path);
}

function checkPath(path: string): void {
  const command = resumeLine(path);
  refuseIf(existsSync(path), `The spool '${path}' exists already. Remove it, or run: ${command}`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw new InvalidArgumentError(
      `Cannot write the spool '${path}'. Choose a directory where you can write.`,
    );
  }
}
