import { concat, from, NEVER } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../../src/transcript/merge/merge.ts';
import { holesOf } from '../../../../src/transcript/model/coverage.ts';
import { blocksOf, TEST_RATE } from '../../../helpers/streamBlocks.ts';
import { streamRun } from '../../../helpers/streamRun.ts';
import {
  connectedMessage,
  finalMessage,
  partialMessage,
  type StreamPeer,
  startStreamService,
} from '../../../helpers/streamService.ts';

const SECONDS = 12;
const withdrawn = (ts: number, endTs: number) => ({ type: 'partial', ts, end_ts: endTs, elements: [] });

/** Streams 12 s of audio to a service with these messages; returns the live transcript and all events. */
async function streamed(messages: readonly unknown[], options = {}) {
  await using service = await startStreamService(async peer => {
    peer.say(connectedMessage);
    await peer.endOfStream();
    peer.say(...messages);
    peer.close(CLOSE.endOfInput);
  });
  const run = streamRun(from(blocksOf(SECONDS, TEST_RATE)), { url: service.url, ...options });
  expect(await run.end).toBeUndefined();
  return { events: run.events, live: run.events.reduce(mergeEvent, emptyLiveTranscript) };
}

describe('words of partials whose final never comes', () => {
  test('are a hole before the next final, with silence around it', async () => {
    const { events, live } = await streamed([
      partialMessage('one', 1, 2),
      partialMessage('one two', 1, 3),
      partialMessage('three', 5, 6),
      finalMessage('three', 5, 7),
    ]);
    expect(live.transcript.coverage).toEqual([
      { ts: 0, endTs: 1, kind: 'silence' },
      { ts: 1, endTs: 3, kind: 'hole', cause: 'no-final' },
      { ts: 3, endTs: 5, kind: 'silence' },
      { ts: 5, endTs: 7, kind: 'final', provenance: 'live' },
      { ts: 7, endTs: 12, kind: 'silence' },
    ]);
    const silences = events.filter(({ type }) => type === 'silence');
    expect(silences).toMatchObject([
      { ts: 0, endTs: 1 },
      { ts: 3, endTs: 5 },
      { ts: 7, endTs: 12 },
    ]);
  });

  test('are a hole between two finals', async () => {
    const { live } = await streamed([
      finalMessage('one', 0, 2),
      partialMessage('two', 3, 4.57),
      finalMessage('three', 5, 7),
    ]);
    expect(holesOf(live.transcript.coverage ?? [])).toEqual([
      { ts: 3, endTs: 4.57, kind: 'hole', cause: 'no-final' },
    ]);
  });

  test('are a hole at the end, also without any final, and no tail', async () => {
    const { live } = await streamed([partialMessage('one', 1, 2), partialMessage('two', 8.01, 9.57)]);
    expect(live.transcript.coverage).toEqual([
      { ts: 0, endTs: 1, kind: 'silence' },
      { ts: 1, endTs: 2, kind: 'hole', cause: 'no-final' },
      { ts: 2, endTs: 8.01, kind: 'silence' },
      { ts: 8.01, endTs: 9.57, kind: 'hole', cause: 'no-final' },
      { ts: 9.57, endTs: 12, kind: 'silence' },
    ]);
    expect(live.tail).toBeUndefined();
  });

  test('are a hole for each utterance', async () => {
    const { live } = await streamed([
      partialMessage('one', 1, 2),
      partialMessage('two', 3, 4),
      finalMessage('three', 5, 7),
      partialMessage('four', 8, 9),
      finalMessage('five', 10, 11),
    ]);
    const spans = holesOf(live.transcript.coverage ?? []).map(({ ts, endTs }) => [ts, endTs]);
    expect(spans).toEqual([
      [1, 2],
      [3, 4],
      [8, 9],
    ]);
  });
});

describe('words of partials are no hole', () => {
  test.for([
    ['that a later partial takes back', [partialMessage('uh', 1, 2), withdrawn(1, 2)]],
    [
      'that begin later in the next partial',
      [partialMessage('uh one', 1, 3), partialMessage('one', 1.5, 3), finalMessage('one', 1.5, 3)],
    ],
    ['that end later in the final', [partialMessage('one', 1, 2), finalMessage('one two', 1, 3)]],
    ['that begin later in the final', [partialMessage('uh one', 1, 3), finalMessage('one', 2, 3)]],
    ['that reach beyond the final', [partialMessage('one', 1, 3.4), finalMessage('one', 1, 3)]],
    [
      'that are inaudible in the final',
      [
        partialMessage('one', 1, 3),
        { type: 'final', ts: 1, end_ts: 3, elements: [{ type: 'unknown', value: '<inaudible>' }] },
      ],
    ],
  ] as const)('%s', async ([, messages]) => {
    const { live } = await streamed([...messages, finalMessage('end', 10, 11)]);
    expect(holesOf(live.transcript.coverage ?? [])).toEqual([]);
  });

  test('when their connection breaks and the next one has their final', async () => {
    await using service = await startStreamService(async (peer: StreamPeer) => {
      peer.say(connectedMessage);
      await peer.bytes(2 * TEST_RATE * SECONDS);
      if (service.peers.length === 1) {
        peer.say(partialMessage('one', 1, 2));
        return peer.tcp.resetAndDestroy();
      }
      peer.say(finalMessage('one', 1, 2), finalMessage('two', 5, 6));
      await peer.endOfStream();
      peer.close(CLOSE.endOfInput);
    });
    const resume = { baseDelayMs: 1, maxDelayMs: 1 };
    const source = concat(from(blocksOf(SECONDS, TEST_RATE)), NEVER);
    const run = streamRun(source, { url: service.url, resume });
    // The partial may be lost with its connection; both finals come in any case.
    while (run.events.filter(({ type }) => type === 'final').length < 2)
      await run.untilEvents(run.events.length + 1);
    expect(run.events.filter(({ type }) => type === 'hole')).toEqual([]);
    run.subscription.unsubscribe();
  });
});
