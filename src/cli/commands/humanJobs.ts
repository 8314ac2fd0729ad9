import type { WaitingJobJson } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import { ADMIN_OPTIONS } from '../flags/adminOptions.ts';
import { defineCommand } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import { integerFrom } from '../flags/optionValues.ts';
import type { Column } from '../print/table.ts';
import { adminCommand } from './adminCommand.ts';

const COLUMNS: readonly Column<WaitingJobJson>[] = [
  ['id', ({ id }) => id],
  ['account', job => job.account_id],
  ['created', job => job.created_on],
  ['due from', job => job.due_from],
  ['due until', job => job.due_until],
  ['rush', ({ rush }) => (rush ? 'yes' : '')],
  ['seconds', job => job.duration_seconds],
  ['name', ({ name }) => name],
  ['claimed by', job => job.claimed_by],
  ['claimed until', job => job.claimed_until],
];

const waitingCommand = adminCommand({
  name: 'waiting',
  description: 'list the jobs of all accounts that wait for a person',
  examples: ['rxscribe job waiting --data ./data'],
  call: () => ({ action: 'list waiting jobs', path: ['human-jobs'], query: { limit: LIST_LIMIT.max } }),
  columns: COLUMNS,
  limited: ['first', 'waiting jobs'],
});

const DEFAULT_CLAIM_SECONDS = 3600;
const MAX_CLAIM_SECONDS = 7 * 24 * 3600;

/** Returns the options of a claim: who claims a job, and for how long. */
export function claimOptions({ worker, seconds }: { readonly worker: string; readonly seconds: number }) {
  return optionGroup('Job', {
    '--worker <name>': { help: worker, required: true },
    '--seconds <number>': {
      help: 'duration of the claim',
      parse: integerFrom(1, MAX_CLAIM_SECONDS),
      default: seconds,
    },
  });
}

const claimCommand = adminCommand({
  name: 'claim',
  description: 'claim a waiting job for one person',
  examples: ['rxscribe job claim Hb3kT0cVt9Qx4E --worker alice --data ./data'],
  arguments: [['<id>', 'id of the job']],
  options: [
    claimOptions({ worker: 'person who claims it', seconds: DEFAULT_CLAIM_SECONDS }),
    optionGroup('Job', { '--release': 'end the claim instead' }),
  ],
  call({ args: [id], flags: { worker, seconds, release } }) {
    const path = ['human-jobs', id, release ? 'release' : 'claim'];
    return release
      ? { action: 'release job', path, body: { worker } }
      : { action: 'claim job', path, body: { worker, seconds } };
  },
  columns: COLUMNS,
});

/** Argument for the transcript that a person has made. */
export const TRANSCRIPT_FILE = ['<file>', 'transcript as JSON, text or .docx; - for standard input'] as const;

const finishCommand = defineCommand({
  name: 'finish',
  description: 'finish a waiting job with its transcript',
  examples: ['rxscribe job finish Hb3kT0cVt9Qx4E talk.txt --data ./data'],
  arguments: [['<id>', 'id of the job'], TRANSCRIPT_FILE],
  options: ADMIN_OPTIONS,
  notes: `
A transcript is read as by 'rxscribe desk import'. The service finds the times of the words.`,
  exitCodes:
    'Exit codes: 0 done, 2 wrong usage, 3 transcript cannot be read, 4 service unreachable, 5 refused, 130 interrupted.',
  async run({ args: [id, file], flags, context }) {
    const { adminWork } = await import('../service/adminCall.ts');
    await adminWork(context, flags, { action: 'finish job', path: ['human-jobs', id, 'finish'], file });
  },
});

/** Commands of `rxscribe job` for people who transcribe. */
export const humanJobCommands = [waitingCommand, claimCommand, finishCommand];
