import { describe, expect, test } from 'vitest';
import { jsonLines, runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { addPerson, DESK_ADMIN_TOKEN, deskRequest, waitingHumanJob } from '../../helpers/deskClient.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService } from '../../helpers/keptService.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { typedShell } from '../../helpers/typedShell.ts';

const PASSWORD = 'twelve letters';
const CLI = new URL('../../../src/cli.ts', import.meta.url).pathname;

const data = sharedDirectory();
const service = keptService({ dataDirectory: data, adminToken: DESK_ADMIN_TOKEN });
const eu = keptService({ region: 'eu', adminToken: DESK_ADMIN_TOKEN });

const desk = (args: readonly string[], stdin = '') =>
  runCommand(['desk', ...args, '--data', data], { stdin: Buffer.from(stdin) });
const overNetwork = (args: readonly string[], stdin = '') =>
  runCommand(['desk', ...args, '--url', service().url], {
    stdin: Buffer.from(stdin),
    env: { RXSCRIBE_ADMIN_TOKEN: DESK_ADMIN_TOKEN },
  });

async function logInStatus(name: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, password });
  return (await deskRequest(service(), '/desk/api/session', { method: 'POST', headers, body })).status;
}

describe('desk user', () => {
  test.each([
    ['a socket', desk, 'ann'],
    ['the network', overNetwork, 'bob@example.org'],
  ])('adds, lists and disables a person, and changes the password, over %s', async (_, run, name) => {
    const added = await run(['user', 'add', name, '--role', 'transcriber'], `${PASSWORD}\r\n`);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const user = { name, role: 'transcriber', created_on: expect.stringMatching(/Z$/) };
    expect(jsonLines(added.stdout)).toEqual([user]);
    expect(await logInStatus(name, PASSWORD)).toBe(200);

    const done = { code: 0, stdout: '', stderr: '' };
    expect(await run(['user', 'disable', name])).toEqual(done);
    expect(await logInStatus(name, PASSWORD)).toBe(401);
    const listed = jsonLines((await run(['user', 'list'])).stdout);
    expect(listed).toContainEqual({ ...user, disabled_on: expect.stringMatching(/Z$/) });

    expect(await run(['user', 'password', name], 'quite another one')).toEqual(done);
    expect(await logInStatus(name, 'quite another one')).toBe(200);
    expect(await logInStatus(name, PASSWORD)).toBe(401);
  });

  test('refuses impossible changes, without showing the password', async () => {
    const add = (name: string, stdin: string, role = 'admin') =>
      desk(['user', 'add', name, '--role', role], stdin);
    expect(await add('cleo', `${PASSWORD}\n`)).toMatchObject({ code: 0 });
    for (const [run, code, message] of [
      [await add('cleo', `${PASSWORD}\n`), 5, 'name: is taken'],
      [await add('dan', 'too short\n'), 2, 'must have 12 to 256 characters'],
      [await add('dan', 'x'.repeat(257)), 2, 'must have 12 to 256 characters'],
      [await add('dan', ''), 2, 'must have 12 to 256 characters'],
      [await add('dan', `${PASSWORD}\n${PASSWORD}\n`), 2, 'must be a single line'],
      [await add('dan the man', `${PASSWORD}\n`), 2, 'The name of a user'],
      [await add('dan', `${PASSWORD}\n`, 'guest'), 2, 'Allowed choices are transcriber, admin'],
      [await desk(['user', 'add', 'dan'], `${PASSWORD}\n`), 2, '--role <role>'],
      [await desk(['user', 'password', 'nobody'], `${PASSWORD}\n`), 5, 'no such user'],
      [await desk(['user', 'disable', 'nobody']), 5, 'no such user'],
    ] as const) {
      expect(run).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
      expect(run.stderr).not.toMatch(/twelve|too short|xxx/);
    }
  });

  describe('asks for a password in a terminal', { tags: 'tools' }, () => {
    const typed = (name: string, keys: string) => {
      const command = `${process.execPath} --conditions=source ${CLI} desk user add ${name} --role admin --data ${data}`;
      return typedShell(`sh -c "${command}; echo code \\$?"`, { keys, cwd: data, prompt: 'Password: ' });
    };

    test('twice, and does not show it', async context => {
      needsProgram(context, 'script');
      const shown = await typed('eva', `${PASSWORD}\r${PASSWORD}\r`);
      expect(shown).toMatch(/^Password: \nPassword again: \n(.*\n)*eva .*\n(.*\n)*code 0\n$/);
      expect(shown).not.toContain('twelve');
      expect(await logInStatus('eva', PASSWORD)).toBe(200);
    });

    test.each([
      ['differs', `${PASSWORD}\r${PASSWORD}!\r`, 'The two passwords differ', 2],
      ['is too short', 'short\r', 'must have 12 to 256 characters', 2],
      ['is interrupted', 'twelve\u0003', 'Interrupted', 130],
    ])('and ends when it %s', async (_, keys, message, code) => {
      const shown = await typed('fay', keys);
      expect(shown).toContain(message);
      expect(shown).toMatch(new RegExp(`code ${code}\\n$`));
      expect(shown).not.toContain('twelve');
    });
  });
});

describe('desk', () => {
  test('lists proposals and events', async () => {
    const id = await waitingHumanJob(service());
    const gus = await addPerson(service(), 'gus');
    await gus.call('POST', `/jobs/${id}/claim`);
    await gus.call('POST', `/jobs/${id}/proposals`, { phrase: 'Ada Lovelace' });
    const on = expect.stringMatching(/Z$/);
    const proposal = { phrase: 'Ada Lovelace', job_id: id, proposed_by: 'gus', proposed_on: on };
    expect(jsonLines((await desk(['proposals'])).stdout)).toEqual([{ ...proposal, account_id: 'owner' }]);
    const events = jsonLines((await overNetwork(['events', '--json'])).stdout);
    expect(events.slice(0, 2)).toEqual([
      { on, user: 'gus', action: 'propose term', job_id: id },
      { on, user: 'gus', action: 'claim', job_id: id },
    ]);
  });

  test('notes that earlier events are not listed', async () => {
    const { url } = await startHttpService(() => ({ json: Array(1000).fill({ user: 'ann' }) }));
    const { stderr } = await runCommand(['desk', 'events', '--url', url, '--admin-token', 'operator']);
    expect(stderr).toBe('Only the latest 1000 events are listed.\n');
  });

  test('is not supported in the EU', async () => {
    const { code, stderr } = await runCommand(['desk', 'user', 'list', '--url', eu().url], {
      env: { RXSCRIBE_ADMIN_TOKEN: DESK_ADMIN_TOKEN },
    });
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('is not supported') });
  });
});
