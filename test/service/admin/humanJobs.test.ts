import { describe, expect, test } from 'vitest';
import { settled } from '../../helpers/adminClient.ts';
import { DESK_ADMIN_TOKEN, waitingHumanJob } from '../../helpers/deskClient.ts';
import { keptService } from '../../helpers/keptService.ts';
import { type Answer, request } from '../../helpers/testService.ts';

const JOBS = '/speechtotext/v1/jobs';
const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN });

function admin(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${DESK_ADMIN_TOKEN}`,
    ...(body !== undefined && { 'content-type': type }),
  };
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return settled(() => request(service(), `/admin/v1/human-jobs${path}`, { method, headers, body: sent }));
}

const waitingJob = (options?: object) => waitingHumanJob(service(), options);

const transcript = (id: string, accept: string) =>
  request(service(), `${JOBS}/${id}/transcript`, { headers: { accept } });

describe('a human job', () => {
  test('waits until an operator finishes it with text, which gets the times of the machine', async () => {
    const id = await waitingJob({ metadata: 'reading', rush: true });
    const [job] = (await admin('GET', '?limit=1')).json();
    expect(job).toMatchObject({
      id,
      account_id: 'owner',
      created_on: expect.stringMatching(/Z$/),
      rush: true,
      name: 'speech.wav',
      language: 'en',
      metadata: 'reading',
      duration_seconds: expect.any(Number),
    });
    const unfinished = (await request(service(), `${JOBS}/${id}`)).json();
    expect(unfinished).toMatchObject({ status: 'in_progress' });
    // Shown for jobs that have ended, even when known before.
    expect(unfinished).not.toHaveProperty('duration_seconds');
    expect((await transcript(id, 'text/plain')).status).toBe(409);

    expect((await admin('POST', `/${id}/finish`, 'Speaker 1: W4 w8, w7.\n', 'text/plain')).status).toBe(204);
    expect((await request(service(), `${JOBS}/${id}`)).json()).toMatchObject({
      status: 'transcribed',
      type: 'human_tc',
      duration_seconds: job.duration_seconds,
    });
    expect((await transcript(id, 'text/plain')).text).toBe('Speaker 1    00:00:00    W4 w8, w7.\n');
    const { monologues } = (await transcript(id, JSON_TYPE)).json();
    const words = monologues[0].elements.filter(({ type }: { type: string }) => type === 'text');
    expect(words).toMatchObject([
      { value: 'W4', ts: 0, end_ts: 0.1, confidence: 1 },
      { value: 'w8', confidence: 1 },
      { value: 'w7', end_ts: 0.2 },
    ]);
    expect((await admin('GET', '')).json()).toEqual([]);
    expect((await admin('POST', `/${id}/finish`, 'Again.', 'text/plain')).status).toBe(409);
  });

  test('can be finished with a transcript in JSON', async () => {
    const id = await waitingJob();
    const elements = [
      { type: 'text', value: 'Mine', ts: 0.2, end_ts: 0.4, confidence: 0.75 },
      { type: 'text', value: 'alone', ts: 0.4, end_ts: 0.5 },
    ];
    const mine = { monologues: [{ speaker: 0, elements }] };
    expect((await admin('POST', `/${id}/finish`, mine)).status).toBe(204);
    const sure = elements.map(element => ({ confidence: 1, ...element }));
    expect((await transcript(id, JSON_TYPE)).json().monologues[0].elements).toEqual(sure);
  });

  test('is not changed by an invalid transcript', async () => {
    const id = await waitingJob();
    for (const body of ['', ' \n', '{"monologues":', '{"monologues":7}', '[]']) {
      const { status, json } = await admin('POST', `/${id}/finish`, body, 'text/plain');
      expect([body, status]).toEqual([body, 400]);
      expect(Object.keys(json().parameters)).toEqual(['request']);
    }
    expect((await admin('POST', `/${id}/finish`)).status).toBe(400);
    const tooLong = 'word '.repeat(4 * 1024 * 1024);
    expect((await admin('POST', `/${id}/finish`, tooLong, 'text/plain')).status).toBe(413);
    const long = 'word '.repeat(400_000);
    expect((await admin('POST', `/${id}/finish`, long, 'text/plain')).status).toBe(204);
  });

  test('is claimed by one person at a time', async () => {
    const id = await waitingJob();
    const claim = (worker: string) => admin('POST', `/${id}/claim`, { worker, seconds: 60 });
    expect((await claim('Ann')).json()).toMatchObject({
      id,
      claimed_by: 'Ann',
      claimed_until: expect.stringMatching(/Z$/),
    });
    const refused = await claim('Bob');
    expect([refused.status, refused.json().detail]).toEqual([409, 'Another person has claimed the job.']);
    expect((await admin('POST', `/${id}/release`, { worker: 'Ann' })).status).toBe(204);
    expect((await claim('Bob')).json()).toMatchObject({ claimed_by: 'Bob' });
    expect((await admin('POST', `/${id}/finish`, 'Done.', 'text/plain')).status).toBe(204);
  });

  test.each([
    ['claim', { worker: 'Ann', seconds: 60 }],
    ['release', { worker: 'Ann' }],
    ['finish', 'Words.'],
  ])('is not found when it does not exist: %s', async (action, body) => {
    const { status, json } = await admin('POST', `/nothing/${action}`, body);
    expect([status, json().title]).toEqual([404, 'could not find job']);
  });

  test('is claimed only by valid requests', async () => {
    const { status, json } = await admin('POST', '/nothing/claim', { worker: '', seconds: 0, more: 1 });
    expect([status, Object.keys(json().parameters).sort()]).toEqual([400, ['more', 'seconds', 'worker']]);
  });
});
