import { Argument, type Command, Option } from 'commander';
import type { WaitingJobJson } from '../../protocol/admin.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { type AdminFlags, adminCommand } from '../flags/adminOptions.ts';
import { integerFrom } from '../flags/optionValues.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { type Column, printRecords } from '../print/table.ts';

/** Creates the commands of `rxscribe job` for people who transcribe. */
export function humanJobCommands(context: Context): readonly Command[] {
  return [waitingCommand(context), claimCommand(context), finishCommand(context)];
}

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

function waitingCommand(context: Context): Command {
  return adminCommand('waiting', 'list the jobs of all accounts that wait for a person', context).action(
    async (flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const jobs = await adminCall<readonly WaitingJobJson[]>(flags, {
        action: 'list waiting jobs',
        method: 'GET',
        path: ['human-jobs'],
        query: { limit: LIST_LIMIT.max },
      });
      printRecords(context.stdout, jobs, COLUMNS, flags);
      if (jobs.length < LIST_LIMIT.max) return;
      context.stderr.write(`Only the first ${LIST_LIMIT.max} waiting jobs are listed.\n`);
    },
  );
}

const DEFAULT_CLAIM_SECONDS = 3600;
const MAX_CLAIM_SECONDS = 7 * 24 * 3600;

interface ClaimFlags extends AdminFlags {
  readonly worker: string;
  readonly seconds: number;
  readonly release?: boolean;
}

export function claimSecondsOption(seconds: number): Option {
  return new Option('--seconds <number>', 'duration of the claim')
    .default(seconds)
    .argParser(integerFrom(1, MAX_CLAIM_SECONDS));
}

function claimCommand(context: Context): Command {
  return adminCommand('claim', 'claim a waiting job for one person', context)
    .argument('<id>', 'id of the job')
    .optionsGroup(GROUP.job)
    .requiredOption('--worker <name>', 'person who claims it')
    .addOption(claimSecondsOption(DEFAULT_CLAIM_SECONDS))
    .option('--release', 'end the claim instead')
    .action(async (id: string, { worker, seconds, release, ...flags }: ClaimFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      if (release) {
        const path = ['human-jobs', id, 'release'];
        await adminCall(flags, { action: 'release job', method: 'POST', path, body: { worker } });
        return;
      }
      const job = await adminCall<WaitingJobJson>(flags, {
        action: 'claim job',
        method: 'POST',
        path: ['human-jobs', id, 'claim'],
        body: { worker, seconds },
      });
      printRecords(context.stdout, [job], COLUMNS, flags);
    });
}

const FINISH_EXIT_CODES =
  'Exit codes: 0 done, 2 wrong usage, 3 transcript cannot be read, 4 service unreachable, 5 refused.';

const FINISH_NOTES = `
In a text, a line may begin with "Speaker 1:" or with a speaker name of the job; other lines continue the turn before. The
service finds the times of the words.`;

function finishCommand(context: Context): Command {
  return adminCommand('finish', 'finish a waiting job with its transcript', context, FINISH_EXIT_CODES)
    .argument('<id>', 'id of the job')
    .addArgument(new Argument('<file>', 'transcript as JSON or text; - for standard input'))
    .addHelpText('after', notes(FINISH_NOTES))
    .action(async (id: string, file: string, flags: AdminFlags) => {
      const [{ adminWork }, { readTextFile }] = await Promise.all([
        import('../service/adminCall.ts'),
        import('../files/textFile.ts'),
      ]);
      const body = await readTextFile(file, context.stdin);
      const path = ['human-jobs', id, 'finish'];
      await adminWork(context, flags, { action: 'finish job', method: 'POST', path, body });
    });
}
