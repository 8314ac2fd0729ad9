import { describe, expect, test } from 'vitest';
import { dataDirectory, temporaryDirectory } from '../helpers/dataDirectory.ts';
import { scriptedSpeech } from '../helpers/scriptedRecognizer.ts';
import { type ServiceProcess, startServiceProcess } from '../helpers/serviceProcess.ts';
import { connectStream } from '../helpers/streamClient.ts';
import { request, TEST_TOKEN } from '../helpers/testService.ts';

const SPEECH = scriptedSpeech([4, 7, 0, 0, 0, 9]);
const JOBS = '/speechtotext/v1/jobs';

async function finishedSession(service: ServiceProcess): Promise<string> {
  const client = connectStream(service);
  const id = await client.connected;
  await client.finish(SPEECH);
  await request(service, `${JOBS}/${id}`);
  return id;
}

const wordsOf = async (service: ServiceProcess, id: string) =>
  (await request(service, `${JOBS}/${id}/transcript`, { headers: { accept: 'text/plain' } })).text;

describe('a service that is killed', () => {
  test('keeps its finished jobs, and marks a session in progress as failed', {
    tags: 'slow',
  }, async () => {
    const options = { dataDirectory: await dataDirectory(), token: TEST_TOKEN };
    const finished: string[] = [];
    let service = await startServiceProcess(options);
    for (let round = 0; round < 3; round++) {
      finished.push(await finishedSession(service));
      const client = connectStream(service);
      const cut = await client.connected;
      client.send(SPEECH);
      await client.message(({ type }) => type === 'final');
      expect((await request(service, `${JOBS}/${cut}`)).json().status).toBe('in_progress');
      await service.end('SIGKILL');
      expect((await client.closed).code).toBe(1006);

      service = await startServiceProcess(options);
      expect((await request(service, `${JOBS}/${cut}`)).json()).toMatchObject({
        status: 'failed',
        failure: 'internal_processing',
        failure_detail: expect.any(String),
        completed_on: expect.any(String),
      });
      for (const id of finished) expect(await wordsOf(service, id)).toContain('W4 w7. W9.');
    }
  });
});

describe('a service that gets a signal to stop', { tags: 'slow' }, () => {
  test('ends its sessions, saves pending data and exits with 0', async () => {
    const options = { dataDirectory: await dataDirectory(), token: TEST_TOKEN };
    const service = await startServiceProcess({ ...options, drainSeconds: 1 });
    const client = connectStream(service);
    const id = await client.connected;
    client.send(SPEECH);
    await client.message(({ type, elements }) => type === 'partial' && elements.at(-1)?.value === 'w9');
    expect(await service.end('SIGTERM')).toBe(0);
    expect((await client.closed).code).toBe(4010);
    // The last word may have been cut.
    expect(client.finalWords()).toEqual(['W4', 'w7']);
    const next = await startServiceProcess(options);
    // The job has all words of the audio that came.
    expect(await wordsOf(next, id)).toContain('W4 w7. W9.\n');
  });
});

describe('a data directory', () => {
  test('is refused to a second service with a clear error', { tags: 'slow' }, async () => {
    const directory = await dataDirectory();
    const first = await startServiceProcess({ dataDirectory: directory, token: TEST_TOKEN });
    await expect(startServiceProcess({ dataDirectory: directory })).rejects.toThrow(
      `Cannot open the data directory: another service uses '${directory}'. Stop that service first.`,
    );
    expect((await request(first, '/speechtotext/v1/account')).status).toBe(200);
  });

  test('gives the token of its account only at the first start', { tags: 'slow' }, async () => {
    const directory = await temporaryDirectory();
    const first = await startServiceProcess({ dataDirectory: directory });
    const authorization = `Bearer ${first.token}`;
    expect((await request(first, '/speechtotext/v1/account', { headers: { authorization } })).status).toBe(
      200,
    );
    expect(first.log).not.toContain(first.token);
    await first.end('SIGTERM');
    const second = await startServiceProcess({ dataDirectory: directory });
    expect(second.token).toBeUndefined();
    expect((await request(second, '/speechtotext/v1/account', { headers: { authorization } })).status).toBe(
      200,
    );
  });
});
