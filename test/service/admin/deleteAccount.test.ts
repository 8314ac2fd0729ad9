import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { overSocket, settled } from '../../helpers/adminClient.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startHttpService } from '../../helpers/httpService.ts';
import { keptService, postMedia } from '../../helpers/keptService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { connectedStream } from '../../helpers/streamClient.ts';
import { request } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';

const data = sharedDirectory();

/** Deletes an account, whose deletion may take several requests. */
async function deleteAccount(directory: string, account: string): Promise<void> {
  const { status } = await settled(() => overSocket(directory, 'DELETE', `/admin/v1/accounts/${account}`));
  // It may end between two requests.
  expect([204, 404]).toContain(status);
}

describe('a deleted account', () => {
  const scripted = createScriptedRecognizer();
  const never = new Promise<never>(() => {});
  let isHeld = false;
  let held = 0;
  const lines: string[] = [];
  const service = keptService({
    dataDirectory: data,
    allowPrivateAddresses: true,
    jobsAtOnce: 1,
    logger: pino({ level: 'warn' }, { write: line => void lines.push(line) }),
    recognizer: {
      ...scripted,
      recognize: (audio, options) => {
        if (!isHeld) return scripted.recognize(audio, options);
        held++;
        const aborted = new Promise<never>((_, reject) =>
          options?.signal?.addEventListener('abort', () => reject(options.signal!.reason), { once: true }),
        );
        return Promise.race([never, aborted]);
      },
    },
  });

  const admin = (method: string, path: string, body?: unknown) =>
    overSocket(data, method, `/admin/v1${path}`, body);

  const objects = (place: string) => {
    const path = join(data, 'objects', place);
    return existsSync(path) ? readdirSync(path) : [];
  };

  test('loses its tokens, media and jobs, including running and waiting ones and pending notifications', async () => {
    const receiver = await startHttpService(() => ({ status: 500, json: {} }));
    const { id } = (
      await admin('POST', '/accounts', { email: 'ada@example.org', credit_seconds: 999 })
    ).json();
    const { token } = (await admin('POST', `/accounts/${id}/tokens`)).json();
    const headers = { authorization: `Bearer ${token}` };
    const submit = async (options: object = {}): Promise<string> =>
      (await postMedia(service(), JOBS, undefined, options, headers)).json().id;
    const done = await submit({ notification_config: { url: receiver.url } });
    await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0));
    const human = await submit({ transcriber: 'human' });
    await eventually(async () => expect((await admin('GET', '/human-jobs')).text).toContain(human));
    isHeld = true;
    const opened = await Promise.all([submit(), submit(), submit()]);
    await eventually(() => expect(held).toBe(1));
    expect(objects('.spool')).toHaveLength(1);
    expect(objects('jobs')).toEqual(expect.arrayContaining([done, human]));
    expect(objects('submitted')).toEqual(expect.arrayContaining([human, ...opened]));

    const stream = await connectedStream(service(), { access_token: token });
    stream.send(scriptedSpeech([4, 7, 0, 0, 0, 9]));
    await stream.message(({ type }) => type === 'final');
    await deleteAccount(data, id);
    expect((await stream.closed).code).toBe(4001);
    expect((await request(service(), JOBS, { headers })).status).toBe(401);
    expect((await admin('GET', `/accounts/${id}`)).status).toBe(404);
    expect((await admin('DELETE', `/accounts/${id}`)).status).toBe(404);
    expect([objects('jobs'), objects('submitted'), objects('.spool')]).toEqual([[], [], []]);
    expect((await admin('GET', '/human-jobs')).json()).toEqual([]);

    // Jobs of other accounts go on, in the place that was freed.
    isHeld = false;
    const other = (await postMedia(service(), JOBS)).json();
    await eventually(async () =>
      expect((await request(service(), `${JOBS}/${other.id}`)).json().status).toBe('transcribed'),
    );
    expect(lines).toEqual([]);
  });

  test('cannot be the first one, which each start would create again', async () => {
    const { status, json } = await admin('DELETE', '/accounts/owner');
    expect([status, Object.keys(json().parameters)]).toEqual([400, ['account']]);
    expect((await request(service(), '/speechtotext/v1/account')).status).toBe(200);
  });
});

describe('an account whose job does not end', () => {
  const directory = sharedDirectory();
  let isRunning = false;
  const unending = Promise.withResolvers<never>();
  const service = keptService({
    dataDirectory: directory,
    // The wait for the job is still longer than the timeout of an idle connection.
    limits: { http: { connectionTimeoutMs: 2000 } },
    clock: { ...systemClock, schedule: (delayMs, run) => systemClock.schedule(delayMs / 3, run) },
    recognizer: {
      ...createScriptedRecognizer(),
      recognize() {
        isRunning = true;
        return unending.promise;
      },
    },
  });
  afterAll(() => {
    // The service need not wait for it as well.
    unending.reject(new Error('the test is over'));
  });

  test('is closed at once and deleted after a while, and the operator gets answers meanwhile', async () => {
    const admin = (method: string, path: string, body?: unknown) =>
      overSocket(directory, method, `/admin/v1/accounts${path}`, body);
    const { id } = (await admin('POST', '', { email: 'ada@example.org', credit_seconds: 999 })).json();
    const { token } = (await admin('POST', `/${id}/tokens`)).json();
    const headers = { authorization: `Bearer ${token}` };
    expect((await postMedia(service(), JOBS, undefined, undefined, headers)).status).toBe(200);
    await eventually(() => expect(isRunning).toBe(true));
    const { status, json } = await admin('DELETE', `/${id}`);
    expect([status, json()]).toEqual([202, { jobs: 1 }]);
    expect((await request(service(), JOBS, { headers })).status).toBe(401);
    const closed = [await admin('GET', `/${id}`), await admin('POST', `/${id}/tokens`)];
    expect(closed.map(answer => [answer.status, answer.json().detail])).toEqual(
      closed.map(() => [404, 'The account is being deleted.']),
    );
    await deleteAccount(directory, 'ada@example.org');
    expect((await admin('DELETE', `/${id}`)).json().detail).toBe('There is no such account.');
  });
});
