import { describe, expect, test } from 'vitest';
import type { Aligner } from '../../../src/engines/aligner.ts';
import { settled } from '../../helpers/adminClient.ts';
import {
  addPerson,
  DESK_ADMIN_TOKEN,
  deskAdministration,
  deskRequest,
  waitingHumanJob,
} from '../../helpers/deskClient.ts';
import { eventually } from '../../helpers/eventually.ts';
import { endOf, keptService, postMedia, speechFile } from '../../helpers/keptService.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { request } from '../../helpers/testService.ts';

/** Holds the alignment of the next words until it resolves. */
let holdAlignment: Promise<void> | undefined;
let aligning = false;
/** Words that were aligned, by call. */
const aligned: (readonly string[])[] = [];

const scripted = createScriptedAligner();
const aligner: Aligner = {
  ...scripted,
  async align(...values) {
    aligned.push(values[1]);
    aligning = true;
    await holdAlignment;
    aligning = false;
    return scripted.align(...values);
  },
};

const service = keptService({ adminToken: DESK_ADMIN_TOKEN, aligner });

const JSON_TYPE = 'application/vnd.svc.transcript.v1.0+json';
const transcript = (id: string, accept: string) =>
  request(service(), `/speechtotext/v1/jobs/${id}/transcript`, { headers: { accept } });

/** Creates a job, and has a new person claim it. */
async function claimed(name: string, options?: object, media?: Uint8Array) {
  const id = await waitingHumanJob(service(), options, media);
  const person = await addPerson(service(), name);
  await person.call('POST', `/jobs/${id}/claim`);
  return { id, person };
}

describe('a job at the desk', () => {
  test('is claimed, opened, changed and finished by one person', async () => {
    const id = await waitingHumanJob(service(), {
      rush: true,
      verbatim: true,
      metadata: 'interview 7',
      custom_vocabularies: [{ phrases: ['Ada Lovelace'] }],
      speaker_names: [{ display_name: 'Ada' }],
    });
    const ann = await addPerson(service(), 'ann');
    const [job] = (await ann.call('GET', '/jobs')).json();
    expect(job).toMatchObject({ id, rush: true, name: 'speech.wav', language: 'en', is_begun: false });
    expect(job).toMatchObject({ customer: 'owner@localhost', metadata: 'interview 7', speakers_count: 1 });
    const hours = (time: string) => (Date.parse(time) - Date.parse(job.created_on)) / 3_600_000;
    expect([hours(job.due_from), hours(job.due_until)]).toEqual([0, 12]);

    expect((await ann.call('GET', `/jobs/${id}`)).json().current_value).toBe('lapsed');
    expect((await ann.call('POST', `/jobs/${id}/claim`)).json()).toMatchObject({ id, claimed_by: 'ann' });
    // What is exported has it too, and goes elsewhere.
    expect((await ann.call('GET', `/jobs/${id}`)).text).not.toContain('owner@localhost');
    expect((await ann.call('GET', `/jobs/${id}`)).json()).toMatchObject({
      job: { id, claimed_by: 'ann' },
      verbatim: true,
      phrases: ['Ada Lovelace'],
      speaker_names: ['Ada'],
      segments: [{ start: 0, end: job.duration_seconds }],
    });
    const draft = (await ann.call('GET', `/jobs/${id}/draft`)).json();
    expect(draft).toMatchObject({ revision: 0, turns: [{ speaker: 0, text: 'W4 w7. W9.' }] });
    const [w4, , w9] = draft.turns[0].words;

    const turns = [{ speaker: 0, text: 'W4 new. W9!', words: [w4, [8, 10, w9[2], w9[3]]] }];
    const change = { revision: 0, from: 0, to: 1, turns, speaker_names: ['Ada'] };
    const saved = await ann.call('PATCH', `/jobs/${id}/draft`, change);
    expect(saved.json()).toEqual({ revision: 1 });
    expect((await ann.call('GET', `/jobs/${id}/draft`)).json()).toEqual({
      revision: 1,
      turns,
      speaker_names: ['Ada'],
      saved_by: 'ann',
      saved_on: expect.any(String),
    });
    expect((await ann.call('GET', `/jobs/${id}/machine`)).json()).toEqual(draft);
    expect((await ann.call('GET', '/jobs')).json()[0].is_begun).toBe(true);

    const stale = await ann.call('POST', `/jobs/${id}/finish`, { revision: 0 });
    expect([stale.status, stale.json().current_value]).toEqual([409, 'revision']);
    expect((await settled(() => ann.call('POST', `/jobs/${id}/finish`, { revision: 1 }))).status).toBe(204);
    const { monologues } = (await transcript(id, JSON_TYPE)).json();
    expect(monologues).toHaveLength(1);
    expect(monologues[0].speaker_info).toEqual({ id: '0', display_name: 'Ada' });
    const words = monologues[0].elements.filter(({ type }: { type: string }) => type === 'text');
    expect(words).toMatchObject([
      { value: 'W4', ts: w4[2], end_ts: w4[3] },
      { value: 'new', ts: expect.any(Number), end_ts: expect.any(Number) },
      { value: 'W9', ts: w9[2], end_ts: w9[3] },
    ]);
    expect((await transcript(id, 'text/plain')).text).toContain('W4 new. W9!');
    expect((await ann.call('POST', `/jobs/${id}/claim`)).json().current_value).toBe('ended');
    const actions = (await deskAdministration(service(), 'GET', '/desk/events')).json();
    const mine = actions.filter(({ user }: { user: string }) => user === 'ann');
    expect(mine.map(({ action }: { action: string }) => action)).toEqual([
      'finish',
      'open',
      'open',
      'claim',
      'log in',
    ]);
    const seconds = job.wanted_seconds;
    const done = { id, name: 'speech.wav', customer: 'owner@localhost', seconds, finished_on: mine[0].on };
    expect((await ann.call('GET', '/finished')).json()).toEqual([done]);
    const chief = await addPerson(service(), 'chief', 'admin');
    expect((await chief.call('GET', '/finished')).json()).toEqual([]);
    const { people, customers } = (await chief.call('GET', '/figures')).json();
    expect(people.find(({ name }: { name: string }) => name === 'ann')).toEqual({
      ...{ name: 'ann', today_seconds: seconds, week_seconds: seconds, work_seconds: expect.any(Number) },
    });
    expect(customers).toEqual([{ customer: 'owner@localhost', words: 3, changed_words: 1 }]);
    await request(service(), `/speechtotext/v1/jobs/${id}`, { method: 'DELETE' });
    const { name: _, ...rest } = done;
    expect((await ann.call('GET', '/finished')).json()).toEqual([rest]);
  });

  test('has the audio and the peaks of its segments only, by an address of the session', async () => {
    const levels = [...Array(700).fill(4), ...Array(700).fill(9)];
    const segments = [{ start: '5', end: '66' }];
    const { id, person: bob } = await claimed(
      'bob',
      { segments_to_transcribe: segments },
      speechFile(levels),
    );
    const peaks = (await bob.call('GET', `/jobs/${id}/peaks`)).json();
    const bytes = Buffer.from(peaks.peaks, 'base64');
    expect(peaks.seconds).toBeCloseTo(140, 1);
    expect(bytes).toHaveLength(Math.ceil(peaks.seconds * peaks.per_second));
    expect(bytes.subarray(0, 5 * peaks.per_second).every(peak => peak === 0)).toBe(true);
    expect(bytes.subarray(6 * peaks.per_second, 60 * peaks.per_second).some(peak => peak > 0)).toBe(true);
    expect(bytes.subarray(67 * peaks.per_second).every(peak => peak === 0)).toBe(true);

    const { url } = (await bob.call('POST', `/jobs/${id}/audio`)).json();
    const hear = (path: string, headers: Record<string, string>) =>
      fetch(`${service().url}/desk/${path}`, { headers });
    const { cookie } = bob;
    const whole = await hear(url, { cookie });
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const file = Buffer.from(await whole.arrayBuffer());
    expect(file.length).toBe(44 + 2 * 16_000 * peaks.seconds);
    const part = await hear(url, { cookie, range: 'bytes=44-143' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 44-143/${file.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(file.subarray(44, 144));
    expect((await hear(url, { cookie, range: `bytes=${file.length}-` })).status).toBe(416);

    expect((await hear(url, {})).status).toBe(401);
    const carl = await addPerson(service(), 'carl');
    expect((await hear(url, { cookie: carl.cookie })).status).toBe(403);
    expect(
      (
        await hear(
          url.replace(/key=(.)/, (_: string, first: string) => `key=${first === 'A' ? 'B' : 'A'}`),
          { cookie },
        )
      ).status,
    ).toBe(403);
    await bob.call('POST', `/jobs/${id}/release`);
    expect((await hear(url, { cookie })).status).toBe(409);
  });

  test('is aligned when it ends, and a word that is not found gets a time between its neighbours', async () => {
    const { id, person: dan } = await claimed('dan');
    const draft = (await dan.call('GET', `/jobs/${id}/draft`)).json();
    const [w4, , w9] = draft.turns[0].words;
    const turns = [{ speaker: 0, text: 'W4 zebra. W9.', words: [w4, [10, 12, w9[2], w9[3]]] }];
    const change = { revision: 0, from: 0, to: 1, turns };
    expect((await dan.call('PATCH', `/jobs/${id}/draft`, change)).status).toBe(200);
    expect((await settled(() => dan.call('POST', `/jobs/${id}/finish`, { revision: 1 }))).status).toBe(204);
    expect(aligned.at(-1)).toEqual(['W4', 'zebra', 'W9']);
    const { monologues } = (await transcript(id, JSON_TYPE)).json();
    const words = monologues[0].elements.filter(({ type }: { type: string }) => type === 'text');
    const [, zebra, last] = words;
    expect(zebra.ts).toBeGreaterThanOrEqual(w4[3]);
    expect(zebra.end_ts).toBeGreaterThan(zebra.ts);
    expect(zebra.end_ts).toBeLessThanOrEqual(w9[2]);
    expect(last).toMatchObject({ value: 'W9', ts: w9[2], end_ts: w9[3] });
    expect((await deskRequest(service(), '/desk/api/jobs')).status).toBe(401);
  });

  test('is not changed by text that cannot be stored', async () => {
    const { id, person: fay } = await claimed('fay');
    for (const text of ['a\u0000b', 'two\nlines', '\ud800', 'x'.repeat(20_001)]) {
      const change = { revision: 0, from: 0, to: 0, turns: [{ speaker: 0, text, words: [] }] };
      expect((await fay.call('PATCH', `/jobs/${id}/draft`, change)).status).toBe(400);
      expect((await fay.call('POST', `/jobs/${id}/proposals`, { phrase: text })).status).toBe(400);
    }
    expect((await fay.call('POST', `/jobs/%00/claim`)).status).toBe(404);
    expect((await fay.call('GET', `/jobs/${id}/draft`)).json().revision).toBe(0);
    const login = { name: 'a\u0000', password: 'x' };
    expect((await fay.call('POST', '/session', login)).status).toBe(400);
  });

  test('does not end while its words get times if it is saved meanwhile', async () => {
    const { id, person: gil } = await claimed('gil');
    await gil.call('GET', `/jobs/${id}/draft`);
    const save = (revision: number, text: string) =>
      gil.call('PATCH', `/jobs/${id}/draft`, {
        revision,
        from: 0,
        to: 1,
        turns: [{ speaker: 0, text, words: [] }],
      });
    expect((await save(0, 'first words')).json()).toEqual({ revision: 1 });
    const held = Promise.withResolvers<void>();
    holdAlignment = held.promise;
    const finishing = settled(() => gil.call('POST', `/jobs/${id}/finish`, { revision: 1 }));
    await eventually(() => expect(aligning).toBe(true));
    const saved = await save(1, 'later words');
    expect(saved.json()).toEqual({ revision: 2 });
    held.resolve();
    holdAlignment = undefined;
    const refused = await finishing;
    expect([refused.status, refused.json().current_value]).toEqual([409, 'revision']);
    expect((await gil.call('GET', `/jobs/${id}/draft`)).json().turns[0].text).toBe('later words');
    expect((await settled(() => gil.call('POST', `/jobs/${id}/finish`, { revision: 2 }))).status).toBe(204);
    expect((await transcript(id, 'text/plain')).text).toContain('later words');
  });

  test('is not ended by an operator while somebody works at it, and claims of operators are their own', async () => {
    const { id, person: hal } = await claimed('hal');
    const administer = (path: string, body: object) =>
      deskAdministration(service(), 'POST', `/human-jobs/${id}${path}`, body);
    expect((await administer('/finish', {})).json().current_value).toBe('claimed');
    expect((await administer('/claim', { worker: 'hal', seconds: 60 })).status).toBe(409);
    const ida = await addPerson(service(), 'ida');
    expect((await ida.call('POST', `/jobs/${id}/release`)).status).toBe(204);
    expect((await hal.call('GET', `/jobs/${id}`)).status).toBe(200);
    const events = (await deskAdministration(service(), 'GET', '/desk/events')).json();
    expect(
      events.filter(({ user, action }: Record<string, string>) => user === 'ida' && action === 'release'),
    ).toEqual([]);
    await hal.call('POST', `/jobs/${id}/release`);
    expect((await administer('/claim', { worker: 'hal', seconds: 60 })).json()).toMatchObject({
      id,
      claimed_by: 'hal',
      claimed_until: expect.stringMatching(/Z$/),
    });
    expect((await hal.call('POST', `/jobs/${id}/claim`)).json().current_value).toBe('claimed');
    expect((await administer('/release', { worker: 'hal' })).status).toBe(204);
    expect((await administer('/claim', { worker: 'Ida', seconds: 60 })).json().claimed_by).toBe('Ida');
  });

  test('fails when a segment lies beyond its media', async () => {
    const segments = [{ start: '100', end: '200' }];
    const form = await postMedia(service(), '/speechtotext/v1/jobs', speechFile(), {
      transcriber: 'human',
      segments_to_transcribe: segments,
    });
    const job = await endOf(service(), `/speechtotext/v1/jobs/${form.json().id}`);
    expect(job).toMatchObject({ status: 'failed', failure: 'invalid_media' });
  });

  test('refuses words that are not in their text, and revisions that no draft has', async () => {
    const { id, person: kay } = await claimed('kay');
    await kay.call('GET', `/jobs/${id}/draft`);
    const save = (words: number[][], revision = 0) =>
      kay.call('PATCH', `/jobs/${id}/draft`, {
        revision,
        from: 0,
        to: 1,
        turns: [{ speaker: 0, text: 'Hello, you. Bye', words }],
      });
    for (const words of [
      [[0, 1e9, 0, 1]],
      [[3, 3, 0, 1]],
      [[0, 5, 1, 0]],
      [
        [0, 5, 0, 1],
        [4, 6, 1, 2],
      ],
    ]) {
      expect(Object.keys((await save(words)).json().parameters)).toEqual(['turns[0].words']);
    }
    expect((await save([], 3e9)).status).toBe(400);
    expect((await save([], 2 ** 31 - 2)).status).toBe(409);
    const long = Array.from({ length: 50_000 }, () => ({ speaker: 0, text: 'x', words: [] }));
    const tooLong = { revision: 0, from: 0, to: 0, turns: long };
    expect((await kay.call('PATCH', `/jobs/${id}/draft`, tooLong)).status).toBe(413);
    expect((await save([[0, 5, 0, 0.5]])).json()).toEqual({ revision: 1 });
  });

  test('names the fault of a change', async () => {
    const { id, person: lou } = await claimed('lou');
    await lou.call('GET', `/jobs/${id}/draft`);
    const turn = (...words: unknown[]) => ({ speaker: 0, text: 'Hello, you.', words });
    const save = (change: object) =>
      lou.call('PATCH', `/jobs/${id}/draft`, { revision: 0, from: 0, to: 1, turns: [turn()], ...change });
    for (const [change, name, message] of [
      [{ from: 1, to: 0 }, 'to', 'must be at least from'],
      [{ to: 2 }, 'to', 'must be at most 1, the number of turns'],
      [{ from: 7, to: 7 }, 'to', 'must be at most 1, the number of turns'],
      [
        { turns: [turn([0, 5, 0, 99])] },
        'turns[0].words',
        'must lie within the media, which has 0.6 seconds',
      ],
      [
        { turns: [turn([0, 5, 0, 1e6])] },
        'turns[0].words',
        'must lie within the media, which has 0.6 seconds',
      ],
      [{ turns: [turn([0, 5, 0, 0.1, 2])] }, 'turns[0].words[0][4]', 'must be at most 1'],
      [{ size: 1 }, 'size', 'is not known'],
    ] as const) {
      const answer = await save(change);
      expect([answer.status, answer.json().parameters]).toEqual([400, { [name]: [message] }]);
    }
    const long = await save({ turns: [turn([0, 5, 0, 0.1, 1, 1])] });
    expect(Object.values(long.json().parameters).flat()).toEqual(['is not known', 'is not known']);
    const stale = await save({ revision: 1, to: 2 });
    expect([stale.status, stale.json().current_value]).toEqual([409, 'revision']);

    const max = await addPerson(service(), 'max');
    const unclaimed = await max.call('PATCH', `/jobs/${id}/draft`, {
      revision: 0,
      from: 0,
      to: 0,
      turns: [],
    });
    expect([unclaimed.status, unclaimed.json()]).toMatchObject([
      409,
      { current_value: 'claimed', detail: 'Another person has claimed the job.' },
    ]);
    // What somebody else saved is no window of this person.
    expect((await save({})).json()).toEqual({ revision: 1 });
    await lou.call('POST', `/jobs/${id}/release`);
    await max.call('POST', `/jobs/${id}/claim`);
    const late = await max.call('PATCH', `/jobs/${id}/draft`, { revision: 0, from: 0, to: 0, turns: [] });
    expect([late.status, late.json()]).toMatchObject([409, { current_value: 'revision' }]);
    expect(late.json().detail).toBe('Another window or another person has saved a later version.');
  });
});
