import { describe, expect, test } from 'vitest';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService } from '../../helpers/keptService.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';

const data = sharedDirectory();
const service = keptService({ dataDirectory: data, adminToken: ADMIN_TOKEN });

const overSocket = (...args: string[]) => runCommand(['account', ...args, '--data', data]);
const overNetwork = (...args: string[]) =>
  runCommand(['account', ...args, '--url', service().url], { env: { RXSCRIBE_ADMIN_TOKEN: ADMIN_TOKEN } });

async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${service().url}/speechtotext/v1/account`, { headers })).status;
}

const json = (stdout: string) => JSON.parse(stdout);

test('account creates accounts and tokens, and lists them', async () => {
  const created = await overSocket('create', '--email', 'ada@example.org', '--credit', '3600');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const { id, balance_seconds } = json(created.stdout);
  expect(balance_seconds).toBe(3600);

  const made = await overSocket('token', 'create', 'ada@example.org', '--name', 'laptop');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9A-Za-z]{43}\n$/), stderr: '' });
  const token = made.stdout.trim();
  expect(await statusWith(token)).toBe(200);

  const tokens = await overSocket('token', 'list', id);
  const { id: tokenId, name } = json(tokens.stdout);
  expect(name).toBe('laptop');
  expect(tokens.stdout).not.toContain(token);

  expect(await overSocket('token', 'revoke', id, tokenId)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await statusWith(token)).toBe(401);

  const listed = await overSocket('list');
  const accounts = listed.stdout.trim().split('\n').map(json);
  expect(accounts).toContainEqual(expect.objectContaining({ id, email: 'ada@example.org' }));
  expect(accounts).toContainEqual(expect.objectContaining({ id: 'owner' }));
});

test('account does the same over the network, with the admin token', async () => {
  const { stdout } = await overNetwork('token', 'create', 'owner', '--json');
  expect(json(stdout)).toEqual({
    id: expect.any(String),
    created_on: expect.any(String),
    token: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
  });
  const refused = await runCommand(cli`account list --url ${service().url} --admin-token ${'x'.repeat(32)}`);
  expect(refused).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('HTTP status 401') });
  const without = await runCommand(['account', 'list', '--url', service().url, '--data', data]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--admin-token') });
});

test('account credit and account settings show the result', async () => {
  await overSocket('create', '--email', 'bea@example.org');
  expect(json((await overSocket('credit', 'bea@example.org', '90.5')).stdout).balance_seconds).toBe(90);
  expect(json((await overSocket('credit', 'bea@example.org', '-50')).stdout).balance_seconds).toBe(40);

  const flags = cli`--delete-after-seconds 0 --signing-secret new --streams 3 --request-burst 7`;
  const changed = json((await overSocket('settings', 'bea@example.org', ...flags)).stdout);
  const limits = { streams: 3, jobs_in_progress: 20_000, requests_per_second: 50, request_burst: 7 };
  const email = 'bea@example.org';
  const kept = {
    email,
    delete_after_seconds: 0,
    has_signing_secret: true,
    limits,
  };
  expect(changed).toEqual({ ...kept, signing_secret: expect.stringMatching(/^\w{43}$/) });
  expect(json((await overSocket('settings', 'bea@example.org')).stdout)).toEqual(kept);

  const back = cli`--delete-after-seconds none --signing-secret none --streams default --jobs-in-progress 5
    --requests-per-second 0.5`;
  expect(json((await overSocket('settings', 'bea@example.org', ...back)).stdout)).toEqual({
    email,
    has_signing_secret: false,
    limits: { streams: 10, jobs_in_progress: 5, requests_per_second: 0.5, request_burst: 7 },
  });
});

test('account settings changes an e-mail address, unless another account has it', async () => {
  await overSocket('create', '--email', 'cleo@example.org');
  const moved = await overSocket('settings', 'owner', '--email', 'grace@example.org');
  expect(json(moved.stdout)).toMatchObject({ email: 'grace@example.org' });
  const taken = await overSocket('settings', 'grace@example.org', '--email', 'cleo@example.org');
  expect(taken).toMatchObject({ code: 5, stderr: expect.stringContaining('has an account already') });
  expect(await overSocket('settings', 'owner', '--email', 'nobody')).toMatchObject({ code: 5, stdout: '' });
});

test('account delete requires --yes, and refuses the first account', async () => {
  await overSocket('create', '--email', 'dora@example.org');
  const token = (await overSocket('token', 'create', 'dora@example.org')).stdout.trim();
  const unmeant = await overSocket('delete', 'dora@example.org');
  expect(unmeant).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  expect(await statusWith(token)).toBe(200);
  const done = { code: 0, stdout: '', stderr: '' };
  expect(await overSocket('delete', 'dora@example.org', '--yes')).toEqual(done);
  expect(await statusWith(token)).toBe(401);
  expect(await overSocket('delete', 'dora@example.org', '--yes')).toMatchObject({ code: 5 });
  const first = await overSocket('delete', 'owner', '--yes');
  expect(first).toMatchObject({ code: 5, stderr: expect.stringContaining('is the first account') });
});

describe('account reports errors', () => {
  test('when no service runs, and what to do', async () => {
    const data = await temporaryDirectory();
    const { code, stdout, stderr } = await runCommand(['account', 'list', '--data', data]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(data);
    expect(stderr).toContain('rxscribe serve');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['no e-mail address', ['create']],
    ['invalid credit', ['create', '--email', 'a@b', '--credit', 'much']],
    ['a retention over 30 days', ['settings', 'a@b', '--delete-after-seconds', '2592001']],
    ['a secret of its own', ['settings', 'a@b', '--signing-secret', 'mine']],
    ['no command', ['token', 'make']],
  ])('with 2 for %s', async (_, args) => {
    const { code, stdout, stderr } = await runCommand(['account', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/error/);
  });

  test('with 5 for what the service refuses', async () => {
    const [address, account] = await Promise.all([
      overSocket('create', '--email', 'nobody'),
      overSocket('credit', 'nobody@example.org', '1'),
    ]);
    expect(address).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('email: ') });
    expect(account).toMatchObject({ code: 5, stderr: expect.stringContaining('There is no such account') });
  });
});

test('serve refuses an admin token that could be guessed', async () => {
  const args = ['serve', '--port', '0', '--data', await temporaryDirectory()];
  const { code, stdout, stderr } = await runCommand([...args, '--admin-token', 'open sesame']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/Option 'adminToken' must have at least 32/);
  expect(stderr).not.toContain('sesame');
});

test('account delete reports its progress until the account is gone', async () => {
  const answers = [
    { status: 202, json: { jobs: 1050 } },
    { status: 202, json: { jobs: 50 } },
  ];
  for (const last of [{ status: 204 }, { status: 404, json: { title: 'Not found', status: 404 } }]) {
    const left = [...answers, last];
    const { url } = await startHttpService(() => left.shift()!);
    const access = ['--url', url, '--admin-token', ADMIN_TOKEN];
    expect(await runCommand(['account', 'delete', 'ada@example.org', '--yes', ...access])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Deleting: 1050 jobs are left.\nDeleting: 50 jobs are left.\n',
    });
  }
});
