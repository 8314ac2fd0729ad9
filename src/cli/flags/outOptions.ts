import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError as InvalidValueError } from 'commander';
import { InvalidArgumentError, refuseIf } from '../../base/errors.ts';
import { TRANSCRIPT_ENDINGS, transcriptEnding } from '../../captions/files/transcriptEnding.ts';
import { orList } from './contextCommand.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';

const TABLE = {
  '--out <file>': {
    help: `write the transcript: ${orList(TRANSCRIPT_ENDINGS)}; may be repeated`,
    parse: collectTranscriptFiles,
    default: [],
  },
  '--overwrite': 'replace existing files of --out',
} as const;

/** Options of every command that writes a transcript to files; an existing file is refused before any work. */
export const OUT_OPTIONS = optionGroup('Output', TABLE, flags => checkOut(flags, false));

/** Options of a command that writes live text to files. The command checks the files, since its configuration may name more. */
export const LIVE_OUT_OPTIONS = optionGroup('Output', {
  ...TABLE,
  '--continue': 'continue existing files of --out and the last settings of the operator, as after a restart',
});

/** Files of a transcript; `continue` is a flag of `caption` only. */
export type OutFlags = FlagsOf<typeof LIVE_OUT_OPTIONS>;

/** @throws InvalidArgumentError for an existing file that would be overwritten, or cannot be continued */
export async function checkOut(
  { out, overwrite, continue: isContinued }: OutFlags,
  canContinue: boolean,
): Promise<void> {
  refuseIf(isContinued && overwrite, '--continue cannot be used with --overwrite.');
  if (isContinued) {
    const { continueFiles } = await import('../../captions/files/continuation.ts');
    continueFiles(out, Date.now());
    return;
  }
  // A pipe or a device has no content to lose.
  const found = out.find(path => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined && !overwrite)
    throw fileExists(found, canContinue ? '--continue or --overwrite' : '--overwrite');
}

/** Returns the error of a file that a command would overwrite. */
export function fileExists(path: string, flags = '--overwrite'): InvalidArgumentError {
  return new InvalidArgumentError(`'${path}' exists already. Choose another name, or add ${flags}.`);
}

/** Parses `--out`. @throws InvalidValueError for a file that cannot be written, before any work */
function collectTranscriptFiles(path: string, previous: readonly string[]): readonly string[] {
  if (!transcriptEnding(path)) {
    throw new InvalidValueError(`Must be a name that ends in ${orList(TRANSCRIPT_ENDINGS)}`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidValueError('Must be a file rather than a directory');
  }
  if (!isWritable(path)) throw new InvalidValueError('Must be a place where you can write');
  return [...previous, path];
}

/** Returns whether a file can be written, or made. */
export function isWritable(path: string): boolean {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
