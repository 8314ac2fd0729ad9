import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../../base/errors.ts';
import { collectTranscriptFiles } from '../files/transcriptEnding.ts';
import { GROUP } from '../help/groups.ts';

/** Files of a transcript. */
export interface OutFlags {
  readonly out: readonly string[];
  readonly overwrite?: boolean;
}

/** The options of every command that writes a transcript to files; a file that is there is refused before any work. */
export function addOutOptions(command: Command): Command {
  return command
    .optionsGroup(GROUP.output)
    .addOption(
      new Option('--out <file>', 'write the transcript: .srt, .vtt, .txt or .json; may be repeated')
        .argParser(collectTranscriptFiles)
        .default([]),
    )
    .option('--overwrite', 'replace files of --out that are there')
    .hook('preAction', () => checkOut(command.opts(), command.name()));
}

function checkOut({ out, overwrite }: OutFlags, command: string): void {
  // A pipe or device has nothing that could be lost.
  const found = out.find(path => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (found === undefined || overwrite) return;
  throw new InvalidArgumentError(
    `${command}: --out: found ${found}; choose another name, or add --overwrite`,
  );
}
