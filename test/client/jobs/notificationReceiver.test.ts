import { describe, expect, test } from 'vitest';
import { createNotificationReceiver } from '../../../src/client/jobs/notificationReceiver.ts';
import { signNotification } from '../../../src/protocol/signature.ts';

const JOB = { id: 'a1', created_on: '2026-01-01T00:00:00.000Z', type: 'async', status: 'transcribed' };
const ABOUT_JOB = JSON.stringify({ job: JOB });

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.text();
  return response.status;
}

describe('a receiver of notifications', () => {
  test('resolves all waits for a job, whether they began before or after its notification', async () => {
    await using receiver = await createNotificationReceiver();
    const before = [receiver.ended('a1'), receiver.ended('a1')];
    expect(await post(receiver.url, ABOUT_JOB)).toBe(200);
    const seen = { id: 'a1', status: 'transcribed', createdOn: JOB.created_on };
    expect(await Promise.all(before)).toEqual([expect.objectContaining(seen), expect.objectContaining(seen)]);
    expect(await receiver.ended('a1')).toMatchObject(seen);
  });

  test('accepts notifications about vocabularies', async () => {
    await using receiver = await createNotificationReceiver();
    const vocabulary = { id: 'cv1', created_on: JOB.created_on, status: 'complete' };
    expect(await post(receiver.url, JSON.stringify({ custom_vocabulary: vocabulary }))).toBe(200);
    expect(await receiver.ended('cv1')).toMatchObject({ status: 'complete' });
  });

  test('with a secret refuses notifications without a valid signature', async () => {
    await using receiver = await createNotificationReceiver({ secret: ['old', 'secret'], brand: 'acme' });
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = (secret: string) => ({
      'X-Acme-Signature': signNotification({ secret, timestamp, body: ABOUT_JOB }),
    });
    expect(await post(receiver.url, ABOUT_JOB)).toBe(401);
    expect(await post(receiver.url, ABOUT_JOB, signed('wrong'))).toBe(401);
    expect(await post(receiver.url, `${ABOUT_JOB} `, signed('secret'))).toBe(401);
    const waits = receiver.ended('a1');
    expect(await post(receiver.url, ABOUT_JOB, signed('secret'))).toBe(200);
    expect(await waits).toMatchObject({ id: 'a1' });
  });

  test.each<[string, number, (url: string) => Promise<number>]>([
    ['to another path', 404, url => post(`${url}x`, ABOUT_JOB)],
    ['with another method', 405, url => fetch(url).then(({ status }) => status)],
    ['that is not JSON', 400, url => post(url, 'hello')],
    ['that is not a notification', 400, url => post(url, '{"job":{}}')],
    ['that is too large', 413, url => post(url, 'x'.repeat(1024 * 1024 + 1))],
  ])('refuses a request %s', async (_, status, send) => {
    await using receiver = await createNotificationReceiver();
    expect(await send(receiver.url)).toBe(status);
    // It goes on.
    expect(await post(receiver.url, ABOUT_JOB)).toBe(200);
  });

  test('rejects pending and later waits once it is closed, and can be closed twice', async () => {
    const receiver = await createNotificationReceiver();
    const waits = receiver.ended('a1').catch(error => error);
    await receiver.close();
    await receiver.close();
    expect(await waits).toMatchObject({ code: 'aborted' });
    await expect(receiver.ended('a1')).rejects.toMatchObject({ code: 'aborted' });
    await expect(fetch(receiver.url)).rejects.toThrow();
  });

  test('rejects an aborted wait with the reason', async () => {
    await using receiver = await createNotificationReceiver();
    const abort = new AbortController();
    const waits = receiver.ended('a1', { signal: abort.signal });
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(waits).rejects.toBe(reason);
  });

  test.each([[''], [[]], [['old', '']]])('refuses an empty secret: %j', async secret => {
    await expect(createNotificationReceiver({ secret })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  test('has a public address with a random path', async () => {
    await using receiver = await createNotificationReceiver({ publicUrl: 'https://hooks.example.org/here/' });
    expect(receiver.url).toMatch(/^https:\/\/hooks\.example\.org\/here\/\w{22}$/);
  });

  test('reports that its port is in use', async () => {
    await using first = await createNotificationReceiver();
    const port = Number(new URL(first.url).port);
    await expect(createNotificationReceiver({ port })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
