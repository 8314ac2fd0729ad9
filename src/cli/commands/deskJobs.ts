import { Argument, type Command } from 'commander';
import type { DeskJobJson } from '../../protocol/desk.ts';
import type { Context } from '../context.ts';
import { type AdminFlags, adminCommand } from '../flags/adminOptions.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { type Column, printRecords } from '../print/table.ts';
import { claimSecondsOption } from './humanJobs.ts';

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 a file cannot be read or written, 4 service unreachable, 5 refused, 130 interrupted.`;

const EXPORT_NOTES = `
The directory gets 'audio.wav', which is silent outside the parts to be transcribed; 'transcript.txt', the text so far, a turn a
line; 'words.json', the same with the times of words, each as [start in the text, end, start in seconds, end]; and
'instructions.json', the wishes of the customer. Only this user can read them. Change the text, or the words by a program, and
return the file with 'rxscribe desk import'. Words that stay keep their times.

The job is claimed: nobody at the desk can start it until it is imported, released with 'rxscribe job claim --release', or the
claim lapses.`;

const DAY_SECONDS = 24 * 3600;

const COLUMNS: readonly Column<DeskJobJson>[] = [
  ['id', ({ id }) => id],
  ['language', ({ language }) => language],
  ['seconds', job => job.wanted_seconds],
  ['due', job => job.due_until],
  ['claimed by', job => job.claimed_by],
  ['until', job => job.claimed_until],
];

interface ExportFlags extends AdminFlags {
  readonly worker: string;
  readonly seconds: number;
}

/** Creates `rxscribe desk export`. */
export function exportJobCommand(context: Context): Command {
  return adminCommand('export', 'claim a human job, and write it to a directory', context, EXIT_CODES)
    .argument('<id>', 'id of the job')
    .argument('<dir>', 'new or empty directory')
    .optionsGroup(GROUP.job)
    .requiredOption('--worker <name>', 'person who transcribes it')
    .addOption(claimSecondsOption(DAY_SECONDS))
    .addHelpText('after', notes(EXPORT_NOTES))
    .action(async (id: string, directory: string, { worker, seconds, ...flags }: ExportFlags) => {
      const { exportJob } = await import('../service/deskExport.ts');
      const job = await exportJob(context, { id, directory, worker, seconds, access: flags });
      if (job) printRecords(context.stdout, [job], COLUMNS, flags);
    });
}

const IMPORT_NOTES = `
Takes transcript.txt or words.json of 'rxscribe desk export', or any transcript as JSON or text: a line of a text may begin with
"Speaker 1:" or with a speaker name of the job; other lines continue the turn before. The service finds the times of words
that have none.`;

/** Creates `rxscribe desk import`. */
export function importJobCommand(context: Context): Command {
  return adminCommand('import', 'finish a human job with its transcript', context, EXIT_CODES)
    .argument('<id>', 'id of the job')
    .addArgument(new Argument('<file>', 'transcript as JSON or text; - for standard input'))
    .optionsGroup(GROUP.job)
    .option('--worker <name>', 'person who has claimed it; required when it is claimed')
    .addHelpText('after', notes(IMPORT_NOTES))
    .action(async (id: string, file: string, { worker, ...flags }: AdminFlags & { worker?: string }) => {
      const { importJob } = await import('../service/deskExport.ts');
      await importJob(context, { id, file, worker, access: flags });
    });
}
