import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { decisionsNote } from '../../captions/control/operatorDecisions.ts';
import { checkDirectory } from '../../captions/files/replaceFile.ts';
import { checkHook } from '../../captions/hook/textHook.ts';
import { checkOut, type OutFlags } from '../flags/outOptions.ts';
import { namedOutputs, type TrackFlags } from '../live/captionOutputs.ts';
import type { CaptionRun } from '../live/captionRuns.ts';

/** A check of one thing that captions use. */
export interface NamedCheck {
  readonly name: string;
  /** Milliseconds after which the check has failed. Default 30,000. */
  readonly timeoutMs?: number;
  /** Code of an error that is a warning only. */
  readonly warnsOf?: ErrorCode;
  /** Resolves with a sentence on what was found, and rejects with an error of one line. */
  run(signal: AbortSignal): Promise<string>;
}

/** Returns the checks of the outputs of a source, and of its hooks with their outputs. */
export function outputChecks(run: CaptionRun, clock: Clock): readonly NamedCheck[] {
  const { record, language, tracks, decisions } = run;
  const left = decisions && decisionsNote(decisions);
  return [
    ...(left === undefined ? [] : [{ name: 'operator', run: async () => left }]),
    ...trackChecks(run, clock),
    ...(record === undefined ? [] : [{ name: 'record', run: () => checkDirectory(record) }]),
    ...tracks.flatMap(track => [
      { name: track.name, run: () => checkHook({ target: track.hook, language, clock }) },
      ...trackChecks(track, clock).map(check => ({ ...check, name: `${track.name}/${check.name}` })),
    ]),
  ];
}

function trackChecks(flags: TrackFlags & OutFlags, clock: Clock): readonly NamedCheck[] {
  return [
    ...namedOutputs(flags).map(({ kind, output }) => ({ name: kind.name, run: () => output.check(clock) })),
    ...flags.out.map(path => ({ name: 'file', run: () => checkFile(path, flags) })),
  ];
}

/** @throws InvalidArgumentError for a file that would be overwritten, cannot be continued, or cannot be written */
async function checkFile(path: string, flags: OutFlags): Promise<string> {
  await checkOut({ ...flags, out: [path] }, true);
  await checkDirectory(dirname(path));
  const exists = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const verb = exists ? (flags.continue ? 'continued' : 'replaced') : 'created';
  return `'${path}' will be ${verb}.`;
}
