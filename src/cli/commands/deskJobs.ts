import type { DeskJobJson } from '../../protocol/desk.ts';
import { ADMIN_OPTIONS } from '../flags/adminOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { type Column, printRecords } from '../print/table.ts';
import { claimOptions, TRANSCRIPT_FILE } from './humanJobs.ts';

const EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 a file cannot be read or written, 4 service unreachable, 5 refused, 130 interrupted.`;

const DAY_SECONDS = 24 * 3600;

const COLUMNS: readonly Column<DeskJobJson>[] = [
  ['id', ({ id }) => id],
  ['language', ({ language }) => language],
  ['seconds', job => job.wanted_seconds],
  ['due', job => job.due_until],
  ['claimed by', job => job.claimed_by],
  ['until', job => job.claimed_until],
];

/** `rxscribe desk export`. */
export const exportJobCommand = defineCommand({
  name: 'export',
  description: 'claim a human job, and write it to a directory',
  examples: ['rxscribe desk export Hb3kT0cVt9Qx4E talk --worker ann --data ./data'],
  arguments: [
    ['<id>', 'id of the job'],
    ['<dir>', 'new or empty directory'],
  ],
  options: [...ADMIN_OPTIONS, claimOptions({ worker: 'person who transcribes it', seconds: DAY_SECONDS })],
  notes: `
The directory gets 'audio.wav', which is silent outside the parts to be transcribed; 'transcript.txt', the text so far, a turn a
line; 'words.json', the same with the times of words, each as [start in the text, end, start in seconds, end]; and
'instructions.json', the wishes of the customer. Only this user can read them. Change the text, or the words by a program, and
return the file with 'rxscribe desk import'. Words that stay keep their times.

The job is claimed: nobody at the desk can start it until it is imported, released with 'rxscribe job claim --release', or the
claim lapses.`,
  exitCodes: EXIT_CODES,
  async run({ args: [id, directory], flags, context }) {
    const { exportJob } = await import('../service/deskExport.ts');
    const { worker, seconds } = flags;
    const job = await exportJob(context, { id, directory, worker, seconds, access: flags });
    if (job) printRecords(context.stdout, [job], COLUMNS, flags);
  },
});

/** `rxscribe desk import`. */
export const importJobCommand = defineCommand({
  name: 'import',
  description: 'finish a human job with its transcript',
  examples: ['rxscribe desk import Hb3kT0cVt9Qx4E talk/transcript.txt --worker ann --data ./data'],
  arguments: [['<id>', 'id of the job'], TRANSCRIPT_FILE],
  options: [
    ...ADMIN_OPTIONS,
    optionGroup('Job', {
      '--worker <name>': 'person who has claimed it; required when it is claimed',
    }),
  ],
  notes: `
Takes transcript.txt or words.json of 'rxscribe desk export', or any transcript: JSON, text, or a Word document (.docx). A line or
paragraph may begin with "Speaker 1:" or with a speaker name of the job and a colon, or be a row of a table with that in its first
cell; others continue the turn before. Labels of unknown speakers are refused, with their lines: where one is text, write the label
of its speaker before it.

The service finds the times of words that have none. The same command, run again, waits for the same work.`,
  exitCodes: EXIT_CODES,
  async run({ args: [id, file], flags, context }) {
    const { importJob } = await import('../service/deskExport.ts');
    const path = ['desk', 'jobs', id, 'import'];
    const query = { worker: flags.worker };
    await importJob(context, flags, { action: `import job ${id}`, path, query, file });
  },
});
