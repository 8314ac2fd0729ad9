import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { type RunningCommand, runCommand, startProcess } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { readSampleSpeech } from '../../helpers/sampleSpeech.ts';
import { connectStream } from '../../helpers/streamClient.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

const directory = sharedDirectory();

async function addressOf(running: RunningCommand): Promise<string> {
  const line = await running.line(/listening/);
  return line.replace('rxscribe listening on ', '');
}

async function whenReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/health/ready`)).ok) await setTimeout(50);
}

describe('serve', () => {
  testRecognizer(
    'prints one line when it is ready, writes no token to the log, and ends with 0 on SIGTERM',
    async () => {
      const data = join(directory, 'first');
      await using running = startProcess(['serve', '--port', '0', '--data', data]);
      const url = await addressOf(running);
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      await whenReady(url);
      running.process.kill('SIGTERM');
      const { code, stdout, stderr } = await running.done;
      expect({ code, stdout }).toEqual({ code: 0, stdout: `rxscribe listening on ${url}\n` });
      const lines = stderr.trim().split('\n');
      expect(lines.map(line => JSON.parse(line).msg)).toContain('ready');
      const token = await readFile(join(data, 'first-token'), 'utf8');
      expect(stderr).not.toContain(token.trim());
      expect((await stat(data)).mode & 0o077).toBe(0);

      await using again = startProcess(['serve', '--port', '0', '--data', data]);
      await whenReady(await addressOf(again));
      again.process.kill('SIGTERM');
      expect((await again.done).stderr).not.toContain('The first account');
    },
  );

  testRecognizer('has its metrics on the port for operators', async () => {
    const data = join(directory, 'observed');
    const args = ['serve', '--port', '0', '--admin-port', '0', '--data', data, '--token', TEST_TOKEN];
    await using running = startProcess(args);
    const { msg } = JSON.parse(await running.errorLine(/metrics and administration: listening/));
    const operators = msg.replace(/.* at /, '');
    await whenReady(operators);
    const text = await (await fetch(`${operators}/metrics`)).text();
    expect(text).toMatch(/^rxscribe_streams_slots [1-9]/m);
    expect(text).toMatch(/^rxscribe_engine_audio_seconds_total\{kind="stream"\} 0$/m);
    running.process.kill('SIGTERM');
    expect((await running.done).code).toBe(0);
  });

  testRecognizer('ends cleanly when a terminal and npm both pass on the same Ctrl-C', async () => {
    const data = join(directory, 'interrupted');
    await using running = startProcess(['serve', '--port', '0', '--data', data, '--token', 'my-token']);
    await whenReady(await addressOf(running));
    // Until the process is gone, or nearly for the second in which a signal counts as the same one.
    const until = performance.now() + 900;
    while (performance.now() < until && running.process.kill('SIGTERM')) await setTimeout(10);
    expect(await running.done).toMatchObject({ code: 0 });
    expect(readdirSync(data)).not.toContain('admin.sock');
  });

  testRecognizer(
    'gives a speaker the time of --drain-seconds, and sends what was said up to the last pause',
    async () => {
      const args = ['serve', '--port', '0', '--data', join(directory, 'drained'), '--token', TEST_TOKEN];
      await using running = startProcess([...args, '--drain-seconds', '1']);
      const client = connectStream({ url: await addressOf(running) });
      await client.connected;
      // To the middle of a word of the second sentence.
      client.send(readSampleSpeech('sense-and-sensibility').subarray(0, 9.9 * 16_000));
      await client.message(({ type, ts, elements }) => type === 'partial' && ts > 7 && elements.length > 2);
      running.process.kill('SIGTERM');
      // Without the option, the stream would end because no audio comes.
      expect(await client.closed).toEqual({ code: 4010, reason: 'Server shutting down' });
      expect(client.finalWords().join(' ')).toMatch(/^And Mr\. John Dashwood .* to do for them$/);
      expect(await running.done).toMatchObject({ code: 0 });
    },
  );

  testRecognizer('takes its options from the environment', async () => {
    const env = {
      RXSCRIBE_PORT: '0',
      RXSCRIBE_DATA: join(directory, 'second'),
      RXSCRIBE_TOKEN: 'my-token',
      RXSCRIBE_BRAND: 'acme',
      RXSCRIBE_LOG_LEVEL: 'silent',
    };
    await using running = startProcess(['serve'], { env });
    const url = await addressOf(running);
    await whenReady(url);
    const args = ['caption', 'samples/not-ill-disposed.wav', '--speed', 'max', '--metadata', 'reading'];
    const { code, stdout } = await runCommand([...args, '--json'], {
      env: { RXSCRIBE_URL: url, RXSCRIBE_TOKEN: 'my-token' },
    });
    expect(code).toBe(0);
    const id = /"connected","id":"(\w+)"/.exec(stdout)![1];
    const headers = { authorization: 'Bearer my-token', accept: 'application/vnd.acme.transcript.v1.0+json' };
    const job = await (await fetch(`${url}/speechtotext/v1/jobs/${id}`, { headers })).json();
    expect(job).toMatchObject({ id, type: 'stream', status: 'transcribed', metadata: 'reading' });
    const transcript = await (
      await fetch(`${url}/speechtotext/v1/jobs/${id}/transcript`, { headers })
    ).json();
    expect(transcript).toEqual(JSON.parse(stdout.trim().split('\n').at(-1)!).transcript);
    const refused = await runCommand(args, { env: { RXSCRIBE_URL: url, RXSCRIBE_TOKEN: 'other' } });
    expect(refused.code).toBe(5);
  });

  testRecognizer(
    'refuses a port that is taken, and a data directory that is in use, in one line',
    async () => {
      const data = join(directory, 'third');
      await using running = startProcess(['serve', '--port', '0', '--data', data, '--log-level', 'silent']);
      const url = await addressOf(running);
      const port = new URL(url).port;
      const [samePort, sameData] = await Promise.all([
        runCommand(['serve', '--port', port, '--data', join(directory, 'fourth'), '--log-level', 'silent']),
        runCommand(['serve', '--port', '0', '--data', data, '--log-level', 'silent']),
      ]);
      for (const { code, stdout, stderr } of [samePort, sameData]) {
        expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
        expect(stderr).not.toMatch(/\n\s+at /);
      }
    },
  );
});
