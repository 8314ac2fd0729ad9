import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runProcess, startProcess } from '../../helpers/commandLine.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needsProgram, testRecognizer } from '../../helpers/needs.ts';
import { onTerminal } from '../../helpers/onTerminal.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../helpers/postgresServer.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const SERVE = ['serve', '--port', '0'];
const SILENT = ['--log-level', 'silent'];

describe('serve refuses', () => {
  test.each([['0.0.0.0/0'], ['loopback,everybody'], ['1']])(
    '%s as the proxies that it trusts, as wrong usage',
    async proxies => {
      const { code, stdout, stderr } = await runCommand([...SERVE, ...SILENT, '--trust-proxy', proxies]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: --trust-proxy must be addresses or CIDRs of proxies, [^\n]*\n$/);
      expect(stderr).toContain(`(found: '${proxies}')`);
    },
  );

  async function expectRefused(data: string, reason: RegExp): Promise<void> {
    const { code, stdout, stderr } = await runCommand([...SERVE, ...SILENT, '--data', data]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^error: Cannot open the data directory [^\n]*\n$/);
    expect(stderr).toMatch(reason);
  }

  test('a data directory that cannot be made', async () => {
    await expectRefused('/proc/rxscribe/data', /'\/proc\/rxscribe\/data': it cannot be created/);
  });

  const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

  test.skipIf(!mounts).each([
    ['a file system that is read-only', 'ro', /its file system is read-only/],
    ['a full disk', 'size=4k', /its disk is full/],
    ['a disk without room for a database', 'size=8m', /needs 64 MiB of free space \(found: \d MiB\)/],
  ])('%s', { tags: 'tools' }, async (_, mount, reason) => {
    const data = await temporaryDirectory();
    // In a space of mounts of its own, which is gone with the process.
    const script = `exec unshare -rm sh -c 'mount -t tmpfs -o ${mount} tmpfs ${data} && exec "$@"' sh "$@"`;
    const { code, stderr } = await runProcess([...SERVE, '--data', data], { script });
    expect(stderr).toMatch(/^error: Cannot open the data directory [^\n]*\n$/);
    expect(stderr).toMatch(reason);
    expect(code).toBe(4);
  });

  test.each([
    ['another scheme', 'mysql://user:hidden@localhost/db', 'not of mysql'],
    ['what is no address', 'user:hidden', 'must be one of PostgreSQL ('],
    ['an address that cannot be read', 'postgres://user:hidden@localhost:99999/db', 'is not valid: '],
  ])('%s as its database', async (_, url, reason) => {
    const args = [...SERVE, '--data', await temporaryDirectory()];
    const named = await runCommand([...args, '--database', url]);
    expect({ ...named, stderr: '' }).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(named.stderr).toMatch(
      /^error: The address of the database [^\n]*\(allowed: postgres:\/\/[^\n]*\n$/,
    );
    expect(named.stderr).toContain(reason);
    expect(named.stderr).not.toContain('hidden');
    expect(await runCommand(args, { env: { RXSCRIBE_DATABASE_URL: url } })).toEqual(named);
  });

  test.each(['speech.example.org', 'ftp://speech.example.org', 'https://a:hidden@speech.example.org'])(
    'the public address %s',
    async url => {
      const data = await temporaryDirectory();
      const { code, stderr } = await runCommand([...SERVE, '--data', data, '--public-url', url]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr:
          'error: The public address is not valid (allowed: addresses such as https://speech.example.org).\n',
      });
    },
  );

  test('an invalid e-mail address', async () => {
    const data = await temporaryDirectory();
    const { code, stderr } = await runCommand([...SERVE, '--data', data, '--email', 'nobody']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "error: E-mail address 'nobody' of the account is not valid (allowed: addresses such as ada@example.org).\n",
    });
  });
});

const programs = postgresPrograms();
let database: PostgresServer | undefined;
beforeAll(async () => {
  if (programs) database = await startPostgres(programs);
}, 120_000);
afterAll(() => database?.[Symbol.asyncDispose]());

describe('a database server that is unreachable', () => {
  testRecognizer('is logged once a try, and the service listens when it is reachable', async context => {
    if (!database) return context.skip('needs the package postgresql');
    const url = await database.createDatabase();
    await database.stop();
    const args = [...SERVE, '--data', await temporaryDirectory(), '--token', 'my-token'];
    await using running = startProcess(args, { env: { DATABASE_URL: url } });
    let stderr = '';
    running.process.stderr!.on('data', text => {
      stderr += text;
    });
    let stdout = '';
    running.process.stdout!.on('data', text => {
      stdout += text;
    });
    const messages = () => [...stderr.matchAll(/"msg":"([^"]*)"/g)].map(match => match[1]!);
    const tries = () => messages().filter(message => message.startsWith('The database cannot be reached: '));
    await eventually(() => expect(tries().length).toBeGreaterThan(1));
    expect(messages()).toContain('Using the PostgreSQL server of DATABASE_URL.');
    expect(messages()[0]).toMatch(/^The token of the first account can be guessed: it has 8 characters\./);
    expect(stderr).not.toContain('my-token');
    expect(stderr).not.toContain('"stack"');
    expect(stdout).toBe('');
    await database.start();
    await eventually(() => expect(stdout).toMatch(/^rxscribe listening on http:\S+\n$/));
    expect((await fetch(`${stdout.trim().split(' ').at(-1)}/health/ready`)).status).toBe(200);
    running.process.kill('SIGTERM');
    expect(await running.done).toMatchObject({ code: 0 });
  });

  testRecognizer('does not prevent the service from being stopped', async () => {
    const args = [...SERVE, '--data', await temporaryDirectory()];
    await using running = startProcess([...args, '--database', 'postgres://localhost:1/none']);
    await once(running.process.stderr!, 'data');
    running.process.kill('SIGTERM');
    expect(await running.done).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('the token of a first start', () => {
  testRecognizer('is in a private file outside a terminal, and the log names the file', async () => {
    const data = await dataDirectory();
    await using running = startProcess([...SERVE, '--data', data, '--email', 'ada@example.org']);
    const url = (await running.line(/listening/)).split(' ').at(-1);
    const file = join(data, 'first-token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const token = await readFile(file, 'utf8');
    expect(token).toMatch(/^[0-9A-Za-z]{43}\n$/);
    const headers = { authorization: `Bearer ${token.trim()}` };
    const account = await fetch(`${url}/speechtotext/v1/account`, { headers });
    expect(await account.json()).toMatchObject({ email: 'ada@example.org' });
    running.process.kill('SIGTERM');
    const { code, stdout, stderr } = await running.done;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `rxscribe listening on ${url}\n` });
    expect(stderr).toContain(`Its access token is in ${file}`);
    expect(stderr).not.toContain(token.trim());
  });

  testRecognizer('is shown in a terminal, with a log for people', async context => {
    needsProgram(context, 'script');
    const data = await dataDirectory();
    const start = (env: NodeJS.ProcessEnv = {}) =>
      onTerminal([...SERVE, '--data', data], {
        env,
        act: output => eventually(() => expect(output()).toContain('listening on http')),
      });
    const shown = await start();
    expect(shown).toMatch(/Its access token, shown only this once: [0-9A-Za-z]{43}\r\n/);
    expect(shown).toContain('\u001b[32mINFO\u001b[39m: \u001b[36mready\u001b[39m\r\n');
    await expect(stat(join(data, 'first-token'))).rejects.toThrow('ENOENT');
    const plain = await start({ NO_COLOR: '1' });
    expect(plain).toMatch(/\] INFO: ready\r\n/);
    const json = await start({ RXSCRIBE_LOG_FORMAT: 'json' });
    expect(json).toMatch(/"msg":"ready"\}\r\n/);
  });
});

testRecognizer('serve takes as many streams as --max-streams allows', async () => {
  const args = [...SERVE, ...SILENT, '--data', await dataDirectory(), '--max-streams', '1'];
  await using running = startProcess(args, { env: { RXSCRIBE_TOKEN: TEST_TOKEN } });
  const url = (await running.line(/listening/)).split(' ').at(-1)!;
  const [first, second] = [connectStream({ url }), connectStream({ url })];
  const ended = await Promise.race([first.connected.then(() => first), second.connected.then(() => second)]);
  const other = ended === first ? second : first;
  await other.opened;
  await new Promise(resolve => other.socket.ping(() => other.socket.once('pong', resolve)));
  expect(other.messages).toEqual([]);
  ended.send('EOS');
  await other.connected;
  other.socket.terminate();
});
