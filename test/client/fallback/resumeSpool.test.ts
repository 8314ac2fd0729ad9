import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HolesRemainError } from '../../../src/client/fallback/holeRepairs.ts';
import { type ResumeSpoolOptions, resumeSpool } from '../../../src/client/fallback/resumeSpool.ts';
import { createClient } from '../../../src/client/jobs/createClient.ts';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import type { SpoolNote } from '../../../src/client/spool/spool.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';
import { dataDirectory } from '../../helpers/dataDirectory.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { leaveSpool } from '../../helpers/leaveSpool.ts';
import { countedLevels, finalOf, holeOf } from '../../helpers/repairRun.ts';
import { createScriptedRecognizer } from '../../helpers/scriptedRecognizer.ts';
import { startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({ limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } } });

const levels = countedLevels(120);
const note = (event: LiveEvent): SpoolNote => ({ type: 'event', event });
const jobNote = (from: number, to: number, jobId: string): SpoolNote => {
  const { startFrame, endFrame } = holeOf(from, to);
  return { type: 'job', hole: { startFrame, endFrame }, jobId, address: service().url };
};
/** Words of a transcript, each with its time. */
const wordsIn = ({ monologues }: Transcript) =>
  monologues.flatMap(({ elements }) =>
    elements.flatMap(element => (element.type === 'text' ? [[element.value, element.ts]] : [])),
  );
const allWords = levels.map(level => [`w${level}`, expect.closeTo((level - 1) / 10, 6)]);

const resume = (path: string, options: Partial<ResumeSpoolOptions> = {}) =>
  resumeSpool(readSpool(path), { token: TEST_TOKEN, clock: hurriedClock, ...options });

/** Ids of the jobs that there are, the newest first. */
async function jobIds(): Promise<readonly string[]> {
  const { transcription } = createClient({ url: service().url, token: TEST_TOKEN });
  return (await transcription.list({ limit: 1000 })).map(({ id }) => id);
}

/** A job for windows of the audio, from the first on that its margin has. */
async function submitted(fromWindow: number, toWindow: number): Promise<string> {
  const { transcription } = createClient({ url: service().url, token: TEST_TOKEN });
  const data = speechFile(levels.slice(Math.max(0, fromWindow - 20), toWindow + 20));
  const { id } = await transcription.submit({ data, name: 'part.wav' }, { skipPostprocessing: true });
  return id;
}

describe('a spool that was left', () => {
  test('becomes the whole transcript of finals, holes and unfinished audio', async () => {
    const path = await leaveSpool({
      levels,
      addresses: [service().url],
      notes: [
        note({ type: 'connected', id: 'session1' }),
        note(finalOf(countedLevels(30), 0)),
        note(holeOf(30, 50).event),
        note(finalOf(countedLevels(30, 51), 50)),
      ],
    });
    const events: LiveEvent[] = [];
    using resumed = await resume(path, { onEvent: event => void events.push(event) });
    expect(resumed.failure).toBeUndefined();
    expect(resumed.live.id).toBe('session1');
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
    expect(events).toMatchObject([
      { type: 'hole', ts: 8, endTs: 12, cause: 'killed' },
      { type: 'repair' },
      { type: 'repair' },
    ]);
    expect(resumed.live.transcript.coverage).toMatchObject([
      { ts: 0, endTs: 3, kind: 'final', provenance: 'live' },
      { ts: 3, endTs: 5, kind: 'final', provenance: 'repaired' },
      { ts: 5, endTs: 8, kind: 'final', provenance: 'live' },
      { ts: 8, endTs: 12, kind: 'final', provenance: 'repaired' },
    ]);
    expect(existsSync(path)).toBe(true);
    resumed.finish();
    expect(existsSync(path)).toBe(false);
  });

  test('needs no service when nothing is missing', async () => {
    const path = await leaveSpool({ levels, notes: [note(finalOf(levels, 0))] });
    using resumed = await resume(path);
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
  });

  test('uses the service of the option, if there is one', async () => {
    const path = await leaveSpool({ levels, addresses: ['http://127.0.0.1:9'] });
    using resumed = await resume(path, { url: service().url });
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
  });

  test('is refused without a service, and can be read again', async () => {
    const path = await leaveSpool({ levels });
    await expect(resume(path)).rejects.toMatchObject({ code: 'invalid-argument' });
    readSpool(path).close();
  });

  test('has jobs with the options of its stream', async () => {
    const query = { metadata: 'call 8', startTs: 100, deleteAfterSeconds: 7200, skipPostprocessing: true };
    const path = await leaveSpool({ levels, addresses: [service().url], query });
    using resumed = await resume(path);
    expect(wordsIn(resumed.live.transcript)[0]).toEqual(['w1', 100]);
    const { transcription } = createClient({ url: service().url, token: TEST_TOKEN });
    const [newest] = await transcription.list({ limit: 1 });
    expect(newest).toMatchObject({ metadata: 'call 8', deleteAfterSeconds: 7200 });
  });

  test('drops a file of audio that no hole needs', async () => {
    const notes = [note(finalOf(countedLevels(80), 0))];
    // Another file begins after a gap.
    const left = { levels, addresses: [service().url], notes, gap: [40, 41] } as const;
    const spool = readSpool(await leaveSpool(left));
    let firstFrame: number | undefined;
    using resumed = await resumeSpool(spool, {
      token: TEST_TOKEN,
      clock: hurriedClock,
      onStatus: ({ type }) => {
        if (type === 'repairing') firstFrame = spool.store.read(0, 1)?.startFrame;
      },
    });
    expect(resumed.failure).toBeUndefined();
    expect(firstFrame).toBe(4.1 * 16_000);
  });
});

describe('a job that was submitted', () => {
  test('is awaited, and not submitted again', async () => {
    const jobId = await submitted(40, 70);
    const before = await jobIds();
    const path = await leaveSpool({
      levels,
      addresses: [service().url],
      notes: [
        note(finalOf(countedLevels(40), 0)),
        note(holeOf(40, 70).event),
        jobNote(40, 70, jobId),
        note(finalOf(countedLevels(50, 71), 70)),
      ],
    });
    const events: LiveEvent[] = [];
    using resumed = await resume(path, { onEvent: event => void events.push(event) });
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
    expect(events).toMatchObject([{ type: 'repair', jobId }]);
    expect(await jobIds()).toEqual(before);
  });

  test.each<[string, () => Promise<string>]>([
    ['is gone', async () => 'nosuchjob12345'],
    [
      'has failed',
      async () => {
        const { transcription } = createClient({ url: service().url, token: TEST_TOKEN });
        const { id } = await transcription.submit({ data: new Uint8Array(), name: 'empty.wav' });
        await expect(transcription.waitFor(id)).rejects.toThrow('empty_media');
        return id;
      },
    ],
  ])('that %s is replaced by another one', async (_, earlierJob) => {
    const notes = [jobNote(0, 120, await earlierJob()), note(holeOf(0, 120).event)];
    const path = await leaveSpool({ levels, addresses: [service().url], notes });
    using resumed = await resume(path);
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
  });

  test('by an aborted resume is awaited by the next one', async () => {
    const path = await leaveSpool({ levels, addresses: [service().url] });
    const ended = new AbortController();
    const jobs: string[] = [];
    const first = resume(path, {
      signal: ended.signal,
      onStatus: status => {
        if (status.type !== 'repairing') return;
        jobs.push(status.jobId);
        ended.abort(new Error('enough'));
      },
    });
    await expect(first).rejects.toThrow('enough');
    const events: LiveEvent[] = [];
    using resumed = await resume(path, { onEvent: event => void events.push(event) });
    expect(wordsIn(resumed.live.transcript)).toEqual(allWords);
    expect(events).toMatchObject([{ type: 'repair', jobId: jobs[0] }]);
  });
});

test('holes that no job could repair stay in the spool for the next time', async () => {
  const recognizer = createScriptedRecognizer({ failAfterSeconds: 7 });
  const failing = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
  const path = await leaveSpool({
    levels,
    addresses: [failing.url],
    notes: [note(holeOf(0, 20).event), note(finalOf(countedLevels(20, 21), 20)), note(holeOf(40, 90).event)],
  });
  const first = await resume(path);
  expect(first.failure).toBeInstanceOf(HolesRemainError);
  expect(first.failure!.advice).toContain(`rxscribe resume ${path}`);
  expect(wordsIn(first.live.transcript)).toEqual(allWords.slice(0, 40));
  first.close();
  using second = await resume(path, { url: service().url });
  expect(second.failure).toBeUndefined();
  expect(wordsIn(second.live.transcript)).toEqual(allWords);
});
