import { describe, expect, test } from 'vitest';
import { readSrt } from '../../../src/transcript/formats/srt.ts';
import { readVtt } from '../../../src/transcript/formats/vtt.ts';
import { settled } from '../../helpers/adminClient.ts';
import { DESK_ADMIN_TOKEN, deskAdministration, waitingHumanJob } from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { request } from '../../helpers/testService.ts';
import { MULAW, wav } from '../../helpers/wavBytes.ts';

const service = keptService({ adminToken: DESK_ADMIN_TOKEN });
const JOBS = '/speechtotext/v1/jobs';
const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';

/** Sends requests as a new account without credit. */
async function withoutCredit() {
  const administer = (path: string, body: object) =>
    deskAdministration(service(), 'POST', `/accounts${path}`, body).then(answer => answer.json());
  const { id } = await administer('', { email: `${crypto.randomUUID()}@example.org` });
  const { token } = await administer(`/${id}/tokens`, { name: 'first' });
  const headers = { authorization: `Bearer ${token}` };
  return {
    balance: async () => (await deskAdministration(service(), 'GET', `/accounts/${id}`)).json(),
    get: (path: string, accept = '*/*') => request(service(), path, { headers: { ...headers, accept } }),
    submit: (options: object, media: Uint8Array) =>
      postMedia(service(), JOBS, media, { transcriber: 'human', test_mode: true, ...options }, headers),
  };
}

test('words of a person have a duration within the media, in JSON and in captions', async () => {
  const id = await waitingHumanJob(service(), {}, speechFile([...Array(25).fill(4), 0, 0, 0, 9, 9]));
  const more = Array.from({ length: 10 }, (_, n) => `Speaker ${n % 3}: and ${n}`);
  const text = `${'W4 '.repeat(20)}new words between them w4\n${more.join('\n')}`;
  const finished = await settled(() =>
    request(service(), `/admin/v1/human-jobs/${id}/finish`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DESK_ADMIN_TOKEN}`, 'content-type': 'text/plain' },
      body: text,
    }),
  );
  expect(finished.status).toBe(204);
  const get = async (path: string, accept: string) =>
    request(service(), `${JOBS}/${id}/${path}`, { headers: { accept } });
  const { monologues } = (await get('transcript', JSON_TYPE)).json();
  const words = monologues.flatMap(({ elements }: { elements: { type: string }[] }) =>
    elements.filter(({ type }) => type === 'text'),
  );
  expect(words).toHaveLength(45);
  for (const { ts, end_ts } of words) expect([end_ts > ts, end_ts <= 3]).toEqual([true, true]);
  for (const accept of ['text/vtt', 'application/x-subrip']) {
    const { text } = await get('captions', accept);
    const cues = accept === 'text/vtt' ? readVtt(text) : readSrt(text);
    expect(cues.length).toBeGreaterThan(1);
    for (const { ts, endTs } of cues) expect([endTs > ts, endTs <= 3]).toEqual([true, true]);
  }
});

describe('a human job in test mode', () => {
  test('ends by itself with the words of the machine in its segments, at no cost', async () => {
    const { balance, get, submit } = await withoutCredit();
    const media = speechFile([...Array(620).fill(4), 0, 0, 0, 7, 7, 0, 0, 0, ...Array(620).fill(9)]);
    const options = {
      segments_to_transcribe: [{ start: '62.2', end: '124' }],
      speaker_names: [{ display_name: 'Ada' }],
    };
    const submitted = await submit(options, media);
    expect([submitted.status, submitted.json()]).toMatchObject([200, { type: 'human_tc', test_mode: true }]);
    const path = `${JOBS}/${submitted.json().id}`;
    await eventually(async () => {
      expect((await get(path)).json()).toMatchObject({ status: 'transcribed', duration_seconds: 124.8 });
    });
    const { monologues } = (await get(`${path}/transcript`, JSON_TYPE)).json();
    expect(monologues).toMatchObject([{ speaker: 0, speaker_info: { display_name: 'Ada' } }]);
    expect((await get(`${path}/transcript`, 'text/plain')).text).toMatch(/^Ada {4}00:01:02 {4}W7 w7\. /);
    const words = monologues[0].elements.filter(({ type }: { type: string }) => type === 'text');
    expect(words[0]).toMatchObject({ value: 'W7', ts: 62.3, end_ts: 62.4 });
    expect(words.at(-1)).toMatchObject({ value: 'w9', end_ts: 124 });
    expect(await balance()).toMatchObject({ balance_seconds: 0, reserved_seconds: 0 });
  });

  test('fails with more media than a test needs', async () => {
    const { get, submit } = await withoutCredit();
    const { id } = (
      await submit({}, wav(new Uint8Array(601 * 8000), { tag: MULAW, rate: 8000, bits: 8 }))
    ).json();
    await eventually(async () => {
      expect((await get(`${JOBS}/${id}`)).json()).toMatchObject({ failure: 'duration_exceeded' });
    });
  });
});
