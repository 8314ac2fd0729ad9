import { type Command, Option } from 'commander';
import type { DeskEventJson, DeskProposalJson, DeskRole, DeskUserJson } from '../../protocol/desk.ts';
import { LIST_LIMIT } from '../../protocol/limits.ts';
import type { Context } from '../context.ts';
import { type AdminFlags, adminCommand } from '../flags/adminOptions.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { notes } from '../help/format.ts';
import { GROUP } from '../help/groups.ts';
import { type Column, printRecords } from '../print/table.ts';
import { exportJobCommand, importJobCommand } from './deskJobs.ts';

/** Creates `rxscribe desk`, which administers the page where people transcribe. */
export function deskCommand(context: Context): Command {
  const users = new ContextCommand('user', context)
    .description('administer the people who may log in at the desk')
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(disableCommand(context))
    .addCommand(passwordCommand(context));
  return new ContextCommand('desk', context)
    .description('administer the desk, the page /desk of a service where people transcribe human jobs')
    .addCommand(users)
    .addCommand(exportJobCommand(context))
    .addCommand(importJobCommand(context))
    .addCommand(proposalsCommand(context))
    .addCommand(eventsCommand(context));
}

/** Here as values, since the schemas of the protocol take time to load. */
const ROLES = ['transcriber', 'admin'] as const satisfies readonly DeskRole[];

const PASSWORD_NOTES = `
The password, of at least 12 characters, is the line that is piped to the command. In a terminal it is asked for, and not
shown.`;

const PASSWORD_EXIT_CODES =
  'Exit codes: 0 done, 2 wrong usage, also an unfit password, 4 service unreachable, 5 refused, 130 interrupted.';

const USER_COLUMNS: readonly Column<DeskUserJson>[] = [
  ['name', ({ name }) => name],
  ['role', ({ role }) => role],
  ['created', user => user.created_on],
  ['disabled', user => user.disabled_on],
];

function addCommand(context: Context): Command {
  return adminCommand('add', 'add a person who may log in', context, PASSWORD_EXIT_CODES)
    .argument('<name>', 'name to log in with')
    .optionsGroup(GROUP.people)
    .addOption(
      new Option('--role <role>', 'role; an admin may also take jobs back and see proposals and events')
        .choices(ROLES)
        .makeOptionMandatory(),
    )
    .addHelpText('after', notes(PASSWORD_NOTES))
    .action(async (name: string, { role, ...flags }: AdminFlags & { role: DeskRole }) => {
      const [{ adminCall }, { checkUserName, readNewPassword }] = await Promise.all([
        import('../service/adminCall.ts'),
        import('../files/newPassword.ts'),
      ]);
      checkUserName(name);
      const password = await readNewPassword(context);
      const user = await adminCall<DeskUserJson>(flags, {
        action: `add user '${name}'`,
        method: 'POST',
        path: ['desk', 'users'],
        body: { name, role, password },
      });
      printRecords(context.stdout, [user], USER_COLUMNS, flags);
    });
}

function listCommand(context: Context): Command {
  return adminCommand('list', 'list the people who may log in, and those who may no more', context).action(
    async (flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const users = await adminCall<readonly DeskUserJson[]>(flags, {
        action: 'list users',
        method: 'GET',
        path: ['desk', 'users'],
      });
      printRecords(context.stdout, users, USER_COLUMNS, flags);
    },
  );
}

const DISABLE_NOTES = `
The person is logged out at once. What the person has done stays, and a claimed job returns to the queue when its claim
lapses. A new password lets the person log in again.`;

function disableCommand(context: Context): Command {
  return adminCommand('disable', 'let a person log in no more', context)
    .argument('<name>', 'name of the person')
    .addHelpText('after', notes(DISABLE_NOTES))
    .action(async (name: string, flags: AdminFlags) => {
      const { adminCall } = await import('../service/adminCall.ts');
      const path = ['desk', 'users', name, 'disable'];
      await adminCall(flags, { action: `disable user '${name}'`, method: 'POST', path });
    });
}

function passwordCommand(context: Context): Command {
  const description = 'replace the password of a person, also of one who is disabled';
  return adminCommand('password', description, context, PASSWORD_EXIT_CODES)
    .argument('<name>', 'name of the person')
    .addHelpText('after', notes(`${PASSWORD_NOTES} The person is logged out.`))
    .action(async (name: string, flags: AdminFlags) => {
      const [{ adminCall }, { readNewPassword }] = await Promise.all([
        import('../service/adminCall.ts'),
        import('../files/newPassword.ts'),
      ]);
      const password = await readNewPassword(context);
      await adminCall(flags, {
        action: `change the password of user '${name}'`,
        method: 'POST',
        path: ['desk', 'users', name, 'password'],
        body: { password },
      });
    });
}

const PROPOSAL_COLUMNS: readonly Column<DeskProposalJson>[] = [
  ['account', proposal => proposal.account_id],
  ['term', ({ phrase }) => phrase],
  ['job', proposal => proposal.job_id],
  ['proposed by', proposal => proposal.proposed_by],
  ['on', proposal => proposal.proposed_on],
];

const PROPOSALS_NOTES = `
To use the terms of an account, write those that are right to a file, one a line, and submit it with a token of the account:
'rxscribe vocabulary submit terms.txt --url <url> --token <token>'. Jobs that name the id of the vocabulary favour them.`;

function proposalsCommand(context: Context): Command {
  const description = "list the terms that transcribers propose for customers' vocabularies, newest first";
  return adminCommand('proposals', description, context)
    .addHelpText('after', notes(PROPOSALS_NOTES))
    .action((flags: AdminFlags) => printLatest(context, flags, 'proposals', PROPOSAL_COLUMNS));
}

const EVENT_COLUMNS: readonly Column<DeskEventJson>[] = [
  ['on', event => event.on],
  ['user', ({ user }) => user],
  ['action', ({ action }) => action],
  ['job', event => event.job_id],
  ['address', ({ address }) => address],
];

function eventsCommand(context: Context): Command {
  return adminCommand('events', 'list what was done at the desk, newest first', context).action(
    (flags: AdminFlags) => printLatest(context, flags, 'events', EVENT_COLUMNS),
  );
}

/** Prints a list of which the service gives the latest records only. */
async function printLatest<Row>(
  { stdout, stderr }: Context,
  flags: AdminFlags,
  list: 'proposals' | 'events',
  columns: readonly Column<Row>[],
): Promise<void> {
  const { adminCall } = await import('../service/adminCall.ts');
  const path = ['desk', list];
  const rows = await adminCall<readonly Row[]>(flags, { action: `list ${list}`, method: 'GET', path });
  printRecords(stdout, rows, columns, flags);
  if (rows.length < LIST_LIMIT.max) return;
  stderr.write(`Only the latest ${LIST_LIMIT.max} ${list} are listed.\n`);
}
