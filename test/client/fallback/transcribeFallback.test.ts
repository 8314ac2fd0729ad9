import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { BehaviorSubject, from, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../src/audio/format/format.ts';
import { toFloats } from '../../../src/audio/pcm/pcm.ts';
import { asyncFallback } from '../../../src/client/fallback/asyncFallback.ts';
import { HolesRemainError } from '../../../src/client/fallback/holeRepairs.ts';
import { resumeSpool } from '../../../src/client/fallback/resumeSpool.ts';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import type { TranscribeOptions } from '../../../src/client/stream/options.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../src/transcript/merge/merge.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';
import { accountWith } from '../../helpers/accountWith.ts';
import { dataDirectory, temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { DESK_ADMIN_TOKEN } from '../../helpers/deskClient.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { keptService } from '../../helpers/keptService.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { SCRIPTED_RATE } from '../../helpers/scriptedWindows.ts';
import { type StreamRun, streamRun } from '../../helpers/streamRun.ts';
import {
  closeAtEnd,
  connectedMessage,
  finalMessage,
  partialMessage,
  startStreamService,
} from '../../helpers/streamService.ts';
import { request, startTestService, TEST_TOKEN } from '../../helpers/testService.ts';

const service = keptService({
  recognizer: createScriptedRecognizer({ languages: ['en', 'de'] }),
  adminToken: DESK_ADMIN_TOKEN,
  limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } },
});

/** Two seconds of words, then half a second of silence, so that there are finals. */
const LEVELS = Array.from({ length: 250 }, (_, index) => (index % 25 < 20 ? index + 1 : 0));
const SAID = LEVELS.flatMap((level, index) =>
  level > 0 ? [[`w${level}`, expect.closeTo(index / 10, 6)]] : [],
);

function blocks() {
  const samples = scriptedSpeech(LEVELS);
  return Array.from({ length: LEVELS.length }, (_, index) => ({
    startFrame: index * 1600,
    sampleRate: SCRIPTED_RATE,
    channels: 1,
    samples: toFloats(samples.subarray(index * 1600, (index + 1) * 1600)),
  }));
}

const stream = (options: Partial<TranscribeOptions> & { readonly url: string }) =>
  streamRun(from(blocks()), { token: TEST_TOKEN, skipPostprocessing: true, ...options });

const transcriptOf = ({ events }: StreamRun) => events.reduce(mergeEvent, emptyLiveTranscript).transcript;
const wordsIn = ({ monologues }: Transcript) =>
  monologues.flatMap(({ elements }) =>
    elements.flatMap(element => (element.type === 'text' ? [[element.value, element.ts]] : [])),
  );
const newSpool = async () => ({ path: join(await temporaryDirectory(), 'talk.spool') });

describe('a stream with a fallback', () => {
  test('of which nothing is streamed has all its words', async () => {
    const spool = await newSpool();
    const fallback = asyncFallback({ asyncOnly: true });
    const run = stream({ url: service().url, fallback, spool });
    expect(await run.end).toBeUndefined();
    expect(wordsIn(transcriptOf(run))).toEqual(SAID);
    expect(run.events.map(({ type }) => type)).toEqual(['hole', 'repair']);
    expect(transcriptOf(run).coverage?.every(({ provenance }) => provenance === 'repaired')).toBe(true);
    expect(existsSync(spool.path)).toBe(false);
  });

  test('repairs words of partials whose final never came', async () => {
    // Streams end here; jobs go on to the service.
    await using losing = await startStreamService(
      async peer => {
        peer.say(connectedMessage, partialMessage('one', 0, 2), finalMessage('two', 2.5, 4.5));
        peer.say(partialMessage('last', 22.5, 24.5));
        await closeAtEnd(peer);
      },
      (request, response) => {
        const { url = '', method, headers } = request;
        const target = httpRequest(new URL(url, service().url), { method, headers }, answer => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        });
        request.pipe(target);
      },
    );
    const run = stream({ url: losing.url, fallback: asyncFallback() });
    expect(await run.end).toBeUndefined();
    const transcript = transcriptOf(run);
    expect(wordsIn(transcript)).toEqual([...SAID.slice(0, 20), ['two', 2.5], ...SAID.slice(-20)]);
    const repairs = run.events.flatMap(event => (event.type === 'repair' ? [event.text] : []));
    const texts = [0, 225].map(first =>
      Array.from({ length: 20 }, (_, at) => `w${first + at + 1}`).join(' '),
    );
    expect(repairs.toSorted()).toEqual(texts.toSorted());
    expect(transcript.coverage).toMatchObject([
      { ts: 0, endTs: 2, kind: 'final', provenance: 'repaired' },
      { ts: 2, endTs: 2.5, kind: 'silence' },
      { ts: 2.5, endTs: 4.5, kind: 'final', provenance: 'live' },
      { ts: 4.5, endTs: 22.5, kind: 'silence' },
      { ts: 22.5, endTs: 24.5, kind: 'final', provenance: 'repaired' },
      { ts: 24.5, endTs: 25, kind: 'silence' },
    ]);
  });

  test('leaves the audio of each language to a job of its own', async () => {
    const source = new Subject<AudioBlock>();
    const query$ = new BehaviorSubject({ language: 'en' });
    const options = { url: service().url, token: TEST_TOKEN, skipPostprocessing: true, query$ };
    const run = streamRun(source, { ...options, fallback: asyncFallback({ asyncOnly: true }) });
    for (const block of blocks().slice(0, 100)) source.next(block);
    query$.next({ language: 'de' });
    for (const block of blocks().slice(100)) source.next(block);
    source.complete();
    expect(await run.end).toBeUndefined();
    const holes = run.events.filter(({ type }) => type === 'hole');
    expect(holes).toMatchObject([
      { ts: 0, endTs: 10 },
      { ts: 10, endTs: 25 },
    ]);
    const ids = run.statuses.flatMap(status => (status.type === 'repairing' ? [status.jobId] : []));
    const jobs = await Promise.all(ids.map(id => request(service(), `/speechtotext/v1/jobs/${id}`)));
    const found = await Promise.all(jobs.map(answer => answer.json()));
    expect(found.map(({ language }) => language)).toEqual(['en', 'de']);
  });

  test('whose account has too little credit is finished when it has more', async () => {
    const { token, topUp } = await accountWith(11, service());
    const source = new Subject<AudioBlock>();
    const options = { url: service().url, token, skipPostprocessing: true };
    const run = streamRun(source, { ...options, fallback: asyncFallback() });
    for (const block of blocks().slice(0, 100)) source.next(block);
    // For which there is credit.
    while (!run.events.some(({ type }) => type === 'final')) await run.untilEvents(run.events.length + 1);
    for (const block of blocks().slice(100)) source.next(block);
    source.complete();
    await run.until('repair-delayed');
    await topUp(3600);
    expect(await run.end).toBeUndefined();
    expect(wordsIn(transcriptOf(run))).toEqual(SAID);
    const kinds = transcriptOf(run).coverage!.map(({ kind, provenance }) => provenance ?? kind);
    expect(kinds).toContain('live');
    expect(kinds).toContain('repaired');
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'hole', cause: 'out-of-credit' }));
  });

  test('that no service takes is finished by a job', async () => {
    const full = await startTestService({
      dataDirectory: await dataDirectory(),
      limits: { account: { streams: 0 } },
    });
    const run = stream({ url: full.url, fallback: asyncFallback() });
    expect(await run.end).toBeUndefined();
    expect(wordsIn(transcriptOf(run))).toEqual(SAID);
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'hole', cause: 'gave-up' }));
  });

  test('lets a source go on that waited for a service which is given up', { tags: 'slow' }, async () => {
    const full = await startTestService({
      dataDirectory: await dataDirectory(),
      limits: { account: { streams: 0 } },
    });
    const gate = createGate();
    async function* waiting() {
      for (const block of blocks()) {
        await gate.whenOpen();
        yield block;
      }
    }
    const options = { token: TEST_TOKEN, skipPostprocessing: true, fallback: asyncFallback(), gate };
    const run = streamRun(from(waiting()), { url: full.url, ...options, resume: { giveUpAfterSeconds: 2 } });
    expect(await run.end).toBeUndefined();
    expect(wordsIn(transcriptOf(run))).toEqual(SAID);
  });

  test('that fails as well leaves a spool, from which it is resumed', { tags: 'slow' }, async () => {
    const recognizer = createScriptedRecognizer({ failAfterSeconds: 5 });
    const failing = await startTestService({ recognizer, dataDirectory: await dataDirectory() });
    const spool = await newSpool();
    const run = stream({
      url: failing.url,
      fallback: asyncFallback(),
      spool,
      resume: false,
    });
    const error = await run.end;
    expect(error).toBeInstanceOf(HolesRemainError);
    expect((error as HolesRemainError).advice).toContain(`rxscribe resume ${spool.path}`);
    using resumed = await resumeSpool(readSpool(spool.path), {
      token: TEST_TOKEN,
      url: service().url,
      clock: hurriedClock,
    });
    expect(wordsIn(resumed.live.transcript)).toEqual(SAID);
    resumed.finish();
    expect(existsSync(spool.path)).toBe(false);
  });
});
