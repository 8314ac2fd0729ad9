import type { DeskEventJson, DeskProposalJson, DeskRole, DeskUserJson } from '../../protocol/desk.ts';
import { defineCommands } from '../flags/defineCommand.ts';
import { optionGroup } from '../flags/optionGroup.ts';
import type { Column } from '../print/table.ts';
import { adminCommand } from './adminCommand.ts';
import { exportJobCommand, importJobCommand } from './deskJobs.ts';

/** Roles of a person. The schemas of the protocol, which have them too, take time to load. */
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

const addCommand = adminCommand({
  name: 'add',
  description: 'add a person who may log in',
  examples: [
    'rxscribe desk user add ann --role transcriber --data ./data',
    'cat password.txt | rxscribe desk user add ann --role transcriber --data ./data',
  ],
  arguments: [['<name>', 'name to log in with']],
  options: [
    optionGroup('People', {
      '--role <role>': {
        help: 'role; an admin may also take jobs back and see proposals and events',
        choices: ROLES,
        required: true,
      },
    }),
  ],
  notes: PASSWORD_NOTES,
  exitCodes: PASSWORD_EXIT_CODES,
  async call({ args: [name], flags: { role }, context }) {
    const { checkUserName, readNewPassword } = await import('../files/newPassword.ts');
    checkUserName(name);
    const body = { name, role, password: await readNewPassword(context) };
    return { action: `add user '${name}'`, path: ['desk', 'users'], body };
  },
  columns: USER_COLUMNS,
});

const listCommand = adminCommand({
  name: 'list',
  description: 'list the people of the desk, disabled ones included',
  examples: ['rxscribe desk user list --data ./data'],
  call: () => ({ action: 'list users', path: ['desk', 'users'] }),
  columns: USER_COLUMNS,
});

const PERSON = ['<name>', 'name of the person'] as const;

const disableCommand = adminCommand({
  name: 'disable',
  description: 'let a person log in no more',
  examples: ['rxscribe desk user disable ann --data ./data'],
  arguments: [PERSON],
  notes: `
The person is logged out at once. What the person has done stays, and a claimed job returns to the queue when its claim
lapses. A new password lets the person log in again.`,
  call: ({ args: [name] }) => ({
    action: `disable user '${name}'`,
    method: 'POST',
    path: ['desk', 'users', name, 'disable'],
  }),
});

const passwordCommand = adminCommand({
  name: 'password',
  description: 'replace the password of a person, also of one who is disabled',
  examples: ['rxscribe desk user password ann --data ./data'],
  arguments: [PERSON],
  notes: `${PASSWORD_NOTES} The person is logged out.`,
  exitCodes: PASSWORD_EXIT_CODES,
  async call({ args: [name], context }) {
    const { readNewPassword } = await import('../files/newPassword.ts');
    return {
      action: `change the password of user '${name}'`,
      path: ['desk', 'users', name, 'password'],
      body: { password: await readNewPassword(context) },
    };
  },
});

const PROPOSAL_COLUMNS: readonly Column<DeskProposalJson>[] = [
  ['account', proposal => proposal.account_id],
  ['term', ({ phrase }) => phrase],
  ['job', proposal => proposal.job_id],
  ['proposed by', proposal => proposal.proposed_by],
  ['on', proposal => proposal.proposed_on],
];

const proposalsCommand = adminCommand({
  name: 'proposals',
  description: "list the terms that transcribers propose for customers' vocabularies, newest first",
  examples: ['rxscribe desk proposals --data ./data'],
  notes: `
To use the terms of an account, write those that are right to a file, one a line, and submit it with a token of the account:
'rxscribe vocabulary submit terms.txt --url <url> --token <token>'. Jobs that name the id of the vocabulary favour them.`,
  call: () => ({ action: 'list proposals', path: ['desk', 'proposals'] }),
  columns: PROPOSAL_COLUMNS,
  limited: ['latest', 'proposals'],
});

const EVENT_COLUMNS: readonly Column<DeskEventJson>[] = [
  ['on', event => event.on],
  ['user', ({ user }) => user],
  ['action', ({ action }) => action],
  ['job', event => event.job_id],
  ['address', ({ address }) => address],
];

const eventsCommand = adminCommand({
  name: 'events',
  description: 'list what was done at the desk, newest first',
  examples: ['rxscribe desk events --data ./data'],
  call: () => ({ action: 'list events', path: ['desk', 'events'] }),
  columns: EVENT_COLUMNS,
  limited: ['latest', 'events'],
});

const userCommand = defineCommands({
  name: 'user',
  description: 'administer the people who may log in at the desk',
  examples: ['rxscribe desk user add ann --role transcriber --data ./data'],
  commands: [addCommand, listCommand, disableCommand, passwordCommand],
});

/** `rxscribe desk`, which administers the page where people transcribe. */
export const deskCommand = defineCommands({
  name: 'desk',
  description: 'administer the desk, the page /desk of a service where people transcribe human jobs',
  examples: ['rxscribe desk user add ann --role transcriber --data ./data'],
  commands: [userCommand, exportJobCommand, importJobCommand, proposalsCommand, eventsCommand],
});
