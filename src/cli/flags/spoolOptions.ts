import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from '../../base/errors.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import { readSpoolKey } from '../../client/spool/spoolKey.ts';

export interface SpoolFlags {
  readonly spool?: string;
  readonly spoolKeyFile?: string;
  readonly channels: number;
  readonly channelsApart?: boolean;
}

/** The files in which a run keeps audio and transcript: one, or one for each channel that is streamed by itself. */
export function spoolPaths({ spool, channels, channelsApart }: SpoolFlags): readonly string[] {
  if (spool === undefined) return [];
  return channelsApart ? Array.from({ length: channels }, (_, channel) => `${spool}.${channel}`) : [spool];
}

/** Better known now than when the recogniser is there. @throws InvalidArgumentError */
export function checkSpoolFlags(flags: SpoolFlags, command: string): void {
  const { spoolKeyFile } = flags;
  for (const path of spoolPaths(flags)) checkPath(path, { command, spoolKeyFile });
  if (spoolKeyFile !== undefined) readSpoolKey(spoolKeyFile);
}

function checkPath(
  path: string,
  { command, spoolKeyFile }: Pick<SpoolFlags, 'spoolKeyFile'> & { readonly command: string },
): void {
  if (existsSync(path)) {
    const advice = `finish it with: ${resumeLine(path, { keyFile: spoolKeyFile })}`;
    throw new InvalidArgumentError(
      `${command}: --spool: wanted a new file, found ${path}; remove it, or ${advice}`,
    );
  }
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw new InvalidArgumentError(
      `${command}: --spool: wanted a place that can be written to, found ${path}`,
    );
  }
}
