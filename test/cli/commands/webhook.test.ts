import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { describe, expect, test } from 'vitest';
import { brandNames } from '../../../src/protocol/interfaceNames.ts';
import { signNotification } from '../../../src/protocol/signature.ts';
import { createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import { deliver } from '../../../src/service/outbound/notify.ts';
import { cli, jsonLines, type RunningCommand, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { testProgram } from '../../helpers/needs.ts';
import { onTerminal } from '../../helpers/onTerminal.ts';

const secret = 'open sesame';
/** Whatever this process writes to. */
const plainly = { validateStream: false } as const;
const created_on = '2026-01-01T00:00:00Z';
const done = { job: { id: 'aBcDeFgHiJkLmN', created_on, status: 'transcribed', type: 'async' } };
const failed = {
  job: {
    ...done.job,
    status: 'failed',
    failure: 'download_failure',
    failure_detail: 'no\u001b[31m such host',
  },
};
const vocabulary = { custom_vocabulary: { id: 'cvAbCdEfGhIjKl', created_on, status: 'complete' } };
const now = () => Math.floor(Date.now() / 1000);
const sign = (body: string, timestamp = now()) => signNotification({ secret, timestamp, body });

describe('rxscribe webhook verify', () => {
  const verify = (args: readonly string[], body: string | Buffer) =>
    runCommand(['webhook', 'verify', ...args], {
      stdin: Buffer.from(body),
      env: { RXSCRIBE_WEBHOOK_SECRET: secret },
    });

  test.each([
    ['a job', done, 'job aBcDeFgHiJkLmN transcribed\n'],
    ['a job that failed', failed, 'job aBcDeFgHiJkLmN failed: no [31m such host\n'],
    ['a vocabulary', vocabulary, 'vocabulary cvAbCdEfGhIjKl complete\n'],
  ])('says what a genuine notification says, of %s', async (_, notification, said) => {
    const body = JSON.stringify(notification, null, 2);
    const result = await verify(['--signature', sign(body)], body);
    expect(result).toEqual({ code: 0, stdout: said, stderr: '' });
  });

  test('prints the body as JSON on one line, from a file as well', async () => {
    const body = JSON.stringify(failed, null, 2);
    const file = join(await temporaryDirectory(), 'body.json');
    await writeFile(file, body);
    const { code, stdout } = await verify(['--signature', sign(body), '--json', file], 'something else');
    expect(code).toBe(0);
    expect(stdout).toBe(`${JSON.stringify(failed)}\n`);
  });

  test('prefers the secret of the flag to that of the environment', async () => {
    const body = JSON.stringify(done);
    const { code } = await verify(['--signature', sign(body), '--secret', 'another'], body);
    expect(code).toBe(5);
  });

  test.each([
    ['of another body', () => sign('{}'), 'does not match'],
    ['of an hour ago', () => sign(JSON.stringify(done), now() - 3600), 'allowed: 300 s'],
    ['that is none', () => 'sesame', 'the form t=<seconds>,v1=<signature>'],
  ])('exits with 5 and one line for a signature %s', async (_, signature, message) => {
    const { code, stdout, stderr } = await verify(['--signature', signature()], JSON.stringify(done));
    expect(stderr).toMatch(/^error: The signature .+\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('sesame');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });

  test('accepts signatures within the tolerance', async () => {
    const body = JSON.stringify(done);
    const args = ['--signature', sign(body, now() - 3600), '--tolerance', '7200'];
    expect(await verify(args, body)).toMatchObject({ code: 0 });
  });

  test.each([
    ['2 without a signature', 2, ['webhook', 'verify', '--secret', 's']],
    ['2 without a secret', 2, ['webhook', 'verify', '--signature', 's']],
    ['2 for an empty secret', 2, ['webhook', 'verify', '--signature', 's', '--secret', '']],
    ['2 for a tolerance that is no time', 2, ['webhook', 'verify', '--signature', 's', '--tolerance', 'x']],
    ['2 without a command', 2, ['webhook']],
    ['2 for an unknown command', 2, ['webhook', 'forge']],
    ['3 for a missing file', 3, ['webhook', 'verify', '--signature', 's', '--secret', 's', '/nowhere/body']],
    ['3 for a directory', 3, ['webhook', 'verify', '--signature', 's', '--secret', 's', '/']],
  ])('exits with %s', async (_, wanted, args) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(stderr).toMatch(/error|Usage/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: wanted, stdout: '' });
  });
});

describe('rxscribe webhook listen', () => {
  /** Its address, from what it says on stderr. */
  async function addressOf(running: RunningCommand): Promise<string> {
    return /http\S+/.exec(await running.errorLine(/listening on/))![0];
  }

  const post = (url: string, body: string, deliverySecret?: string) =>
    deliver(
      { url, body, deliveryId: 'delivery-1', secret: deliverySecret },
      { guard: createAddressGuard({ allowPrivate: true }), names: brandNames('acme') },
    );

  test('prints a JSON line for each notification, valid or not, and accepts all', async () => {
    const args = ['webhook', 'listen', '--port', '0', '--brand', 'acme', '--secret', secret];
    await using running = startCommand(args);
    const url = await addressOf(running);
    for (const deliverySecret of [secret, 'another', undefined]) {
      await expect(post(url, JSON.stringify(done), deliverySecret)).resolves.toMatchObject({ status: 200 });
    }
    running.interrupt();
    const { code, stdout } = await running.done;
    expect(code).toBe(0);
    const [valid, invalid, unsigned] = jsonLines(stdout);
    expect(valid).toEqual({ signature: 'valid', delivery: 'delivery-1', notification: done });
    expect(invalid).toMatchObject({
      signature: 'invalid',
      reason: expect.stringContaining('the exact bytes'),
      notification: done,
    });
    expect(unsigned).toMatchObject({ signature: 'invalid', reason: 'The signature is missing.' });
  });

  test('checks nothing without a secret, and refuses other requests', async () => {
    await using running = startCommand(['webhook', 'listen', '--port', '0']);
    const url = await addressOf(running);
    const statusOf = async (init: RequestInit) => (await fetch(url, init)).status;
    expect(await statusOf({ method: 'POST', body: JSON.stringify(vocabulary) })).toBe(200);
    expect(await statusOf({ method: 'POST', body: 'hello' })).toBe(400);
    expect(await statusOf({ method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).toBe(413);
    expect(await statusOf({ method: 'GET' })).toBe(405);
    running.interrupt();
    const { code, stdout, stderr } = await running.done;
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual([{ signature: 'unchecked', notification: vocabulary }]);
    expect(stderr.match(/^warning: Not a notification: /gm)).toHaveLength(3);
  });

  test('exits with 2 for an empty secret', async () => {
    const env = { RXSCRIBE_WEBHOOK_SECRET: '' };
    const { code, stderr } = await runCommand(['webhook', 'listen', '--port', '0'], { env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("Option 'secret' must not be empty"),
    });
  });

  test('says in one line that a port is taken', async () => {
    const { port } = await httpServer(() => {});
    const { code, stdout, stderr } = await runCommand(['webhook', 'listen', '--port', String(port)]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toBe(
      `error: Cannot listen on '127.0.0.1', port ${port}: another program uses it. Choose another port.\n`,
    );
  });

  testProgram('prints lines in colour in a terminal', 'script', async () => {
    const output = await onTerminal(cli`webhook listen --port 0 --secret ${secret} --brand acme`, {
      async act(shown) {
        await eventually(() => expect(shown()).toMatch(/listening on http\S+\s/));
        const url = /http\S+/.exec(shown())![0];
        await post(url, JSON.stringify(done), secret);
        await post(url, JSON.stringify(failed), 'another');
        await eventually(() => expect(shown()).toContain('the exact bytes'));
      },
    });
    const lines = output.split(/\r?\n/);
    const lineOf = (text: string) => lines.find(line => line.includes(text));
    expect(lineOf('transcribed')).toContain(
      `${styleText('green', '✔ valid    ', plainly)}  delivery-1      job aB`,
    );
    expect(lineOf('transcribed')).toMatch(/\d\d:\d\d:\d\d/);
    expect(lineOf('failed')).toContain(styleText('red', '✘ invalid  ', plainly));
    expect(lineOf('failed')).toContain('failed: no [31m such host');
  });
});
