import fc from 'fast-check';
import {
  concat,
  EMPTY,
  firstValueFrom,
  from,
  lastValueFrom,
  NEVER,
  type Observable,
  of,
  retry,
  Subject,
  throwError,
  toArray,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { chunk } from '../../../../src/audio/chunk.ts';
import { interleave } from '../../../../src/audio/format/channels.ts';
import type { AudioBlock } from '../../../../src/audio/format/format.ts';
import { resample } from '../../../../src/audio/resample/resample.ts';
import { fromFrames } from '../../../../src/audio/source/frames.ts';
import { InvalidArgumentError } from '../../../../src/base/errors.ts';
import { OutOfCreditError } from '../../../../src/client/serviceErrors.ts';
import { type ChannelStatus, channelsApart } from '../../../../src/client/stream/channels/channelsApart.ts';
import type { TranscribeOptions } from '../../../../src/client/stream/options.ts';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { createGate } from '../../../../src/flow/gate.ts';
import { CLOSE } from '../../../../src/protocol/closeCodes.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../../src/transcript/merge/merge.ts';
import type { FinalEvent, LiveEvent } from '../../../../src/transcript/model/events.ts';
import { type TranscriptElement, textOf } from '../../../../src/transcript/model/model.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { startFaultProxy } from '../../../helpers/faultProxy.ts';
import { createScriptedDiarizer } from '../../../helpers/scriptedDiarizer.ts';
import { scriptedSpeech } from '../../../helpers/scriptedRecognizer.ts';
import {
  connectedMessage,
  polite,
  type StreamPeer,
  startStreamService,
} from '../../../helpers/streamService.ts';
import { startTestService, TEST_TOKEN } from '../../../helpers/testService.ts';

/** Two people who talk at the same time, in levels of 100 ms. */
const TALK = [
  [4, 7, 5, 0, 0, 0, 0, 0, 9, 3, 0, 0, 0, 0],
  [0, 11, 12, 13, 14, 0, 0, 0, 15, 0, 0, 0, 16, 17],
];

/** Scripted speech, one channel for each list of levels, in blocks of 50 ms. */
function talk(levels: readonly (readonly number[])[]): readonly AudioBlock[] {
  const planar = levels.map(channel => Float32Array.from(scriptedSpeech(channel), sample => sample / 32_768));
  const channels = levels.length;
  const samples = interleave(Float32Array.from(planar.flatMap(channel => [...channel])), channels);
  const size = 800 * channels;
  return Array.from({ length: samples.length / size }, (_, i) => ({
    startFrame: i * 800,
    sampleRate: 16_000,
    channels,
    samples: samples.subarray(i * size, (i + 1) * size),
  }));
}

/** Returns the words spoken at some levels, each at its time. */
function wordsAt(levels: readonly number[]) {
  return levels.flatMap((level, i) =>
    level ? [{ value: `w${level}`, ts: i / 10, endTs: (i + 1) / 10 }] : [],
  );
}

function timedWords(elements: readonly TranscriptElement[]) {
  return elements.flatMap(element => {
    if (element.type !== 'text') return [];
    const { value, ts, endTs } = element;
    return [{ value, ts, endTs }];
  });
}

function wordsOf(events: readonly LiveEvent[], channel: number) {
  return finalsOf(events, channel).flatMap(({ elements }) => timedWords(elements));
}

function finalsOf(events: readonly LiveEvent[], channel: number): readonly FinalEvent[] {
  return events.filter((event): event is FinalEvent => event.type === 'final' && event.channel === channel);
}

function apart(options: Partial<TranscribeOptions> & { readonly url: string }, channels?: number) {
  const open = () => transcribe({ token: TEST_TOKEN, skipPostprocessing: true, ...options });
  return channelsApart({ open, ...(channels !== undefined && { channels }) });
}

function eventsOf(
  source: Observable<AudioBlock>,
  options: Partial<TranscribeOptions> & { readonly url: string },
): Promise<LiveEvent[]> {
  return lastValueFrom(source.pipe(apart(options), toArray()));
}

describe('with a service that recognises each channel', () => {
  test('all words of all channels come, each at its time and with its channel', async () => {
    const service = await startTestService();
    const events = await eventsOf(from(talk(TALK)), { url: service.url });
    expect(wordsOf(events, 0)).toEqual(wordsAt(TALK[0]!));
    expect(wordsOf(events, 1)).toEqual(wordsAt(TALK[1]!));
    expect(events.filter(({ type }) => type === 'connected')).toHaveLength(1);
  });

  test('the transcript has every word at its time, however much is said at once', async () => {
    const service = await startTestService();
    const someLevels = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })), {
      minLength: 20,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(someLevels, { minLength: 1, maxLength: 3 }), async levels => {
        const events = await eventsOf(from(talk(levels)), { url: service.url });
        const { transcript } = events.reduce(mergeEvent, emptyLiveTranscript);
        for (const [channel, channelLevels] of levels.entries()) {
          const said = transcript.monologues.filter(({ speaker }) => speaker === channel);
          expect(said.flatMap(({ elements }) => timedWords(elements))).toEqual(wordsAt(channelLevels));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('four channels are four, also when one says nothing', async () => {
    const service = await startTestService();
    const levels = [TALK[1]!, TALK[0]!, TALK[0]!.map(() => 0), TALK[1]!.toReversed()];
    const events = await eventsOf(from(talk(levels)), { url: service.url });
    for (const [channel, channelLevels] of levels.entries()) {
      expect(wordsOf(events, channel)).toEqual(wordsAt(channelLevels));
    }
  });

  test('the option of transcribe gives the same', async () => {
    const service = await startTestService();
    const options = { url: service.url, token: TEST_TOKEN, skipPostprocessing: true };
    const live = transcribe({ ...options, channelStreams: 'apart' });
    const events = await lastValueFrom(from(talk(TALK)).pipe(live, toArray()));
    for (const channel of [0, 1]) expect(wordsOf(events, channel)).toEqual(wordsAt(TALK[channel]!));
  });

  test('connections that are cut cost no channel a word', async () => {
    const service = await startTestService();
    const plan = [3000, 9000, 4000].map(bytesUp => [{ kind: 'cut', after: { bytesUp } }] as const);
    await using proxy = await startFaultProxy(service, plan);
    const resume = { baseDelayMs: 1, maxDelayMs: 5 };
    const events = await eventsOf(from(talk(TALK)), { url: proxy.url, resume });
    for (const channel of [0, 1]) expect(wordsOf(events, channel)).toEqual(wordsAt(TALK[channel]!));
    expect(proxy.connections).toBeGreaterThanOrEqual(plan.length + 2);
  });

  test('gaps of the source move the words of every channel', async () => {
    const service = await startTestService();
    const late = talk(TALK).map(block => ({ ...block, startFrame: block.startFrame + 160_000 }));
    const events = await eventsOf(concat(from(talk(TALK)), from(late)), { url: service.url });
    for (const channel of [0, 1]) {
      const words = wordsAt(TALK[channel]!);
      const again = words.map(({ value, ts, endTs }) => ({
        value,
        ts: expect.closeTo(ts + 10, 6),
        endTs: expect.closeTo(endTs + 10, 6),
      }));
      expect(wordsOf(events, channel)).toEqual([...words, ...again]);
    }
  });

  test('the speaker is the channel, where speakers are not separated', async () => {
    const service = await startTestService();
    const events = await eventsOf(from(talk(TALK)), { url: service.url });
    for (const channel of [0, 1]) {
      expect(new Set(finalsOf(events, channel).map(({ speaker }) => speaker))).toEqual(new Set([channel]));
    }
  });

  test('speakers of different channels never have the same number', async () => {
    const service = await startTestService({ diarizer: createScriptedDiarizer() });
    const two = [7, 8, 0, 0, 0, 107, 108, 0, 0, 0];
    const options = { url: service.url, enableSpeakerSwitch: true };
    const events = await eventsOf(from(talk([two, two])), options);
    expect(finalsOf(events, 0).map(({ speaker }) => speaker)).toEqual([0, 2]);
    expect(finalsOf(events, 1).map(({ speaker }) => speaker)).toEqual([1, 3]);
  });
});

/** A block of so many channels, without a sound. */
function silence(channels: number, startFrame = 0, frames = 160): AudioBlock {
  return { startFrame, sampleRate: 16_000, channels, samples: new Float32Array(frames * channels) };
}

/** Collects the statuses of the operator's latest subscription, as they come. */
function statusesOf(live: { readonly status$: Observable<ChannelStatus> }): readonly ChannelStatus[] {
  const statuses: ChannelStatus[] = [];
  live.status$.subscribe(status => statuses.push(status));
  return statuses;
}

describe('a stream for each channel', () => {
  test('sends the samples of its channel and nothing else', async () => {
    await using service = await startStreamService();
    await lastValueFrom(from(talk(TALK)).pipe(apart({ url: service.url })));
    const bytes = TALK.map(levels => Buffer.from(scriptedSpeech(levels).buffer).toString('hex'));
    expect(service.peers.map(({ audio }) => audio.toString('hex')).toSorted()).toEqual(bytes.toSorted());
    expect(service.peers.map(({ query }) => query.get('content_type'))).toEqual(
      Array(2).fill(expect.stringContaining('channels=1')),
    );
  });

  test('begins before the audio, when it is known how many there will be', async () => {
    await using service = await startStreamService();
    const live = apart({ url: service.url, sampleRate: 16_000 }, 3);
    const statuses = statusesOf(live);
    const source = new Subject<AudioBlock>();
    const end = lastValueFrom(source.pipe(live, toArray()));
    expect(statuses).toMatchObject([0, 1, 2].map(channel => ({ type: 'connecting', channel })));
    source.next(silence(3));
    source.complete();
    expect((await end).map(({ type }) => type).toSorted()).toEqual(['connected', 'final', 'final', 'final']);
    expect(service.peers).toHaveLength(3);
  });

  test('says with its statuses which channel it is', async () => {
    await using service = await startStreamService();
    const live = apart({ url: service.url });
    const statuses = statusesOf(live);
    await lastValueFrom(of(silence(2)).pipe(live));
    for (const channel of [0, 1]) {
      const types = statuses.filter(status => status.channel === channel).map(({ type }) => type);
      expect([types[0], types.at(-1)]).toEqual(['connecting', 'closed']);
    }
    expect(await firstValueFrom(live.status$)).toMatchObject({ type: 'closed' });
  });

  test('holds the gate for all, when it cannot be sent', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const gate = createGate();
    const source = new Subject<AudioBlock>();
    const open = (channel: number) =>
      transcribe({
        url: service.url,
        token: () => (channel === 0 ? 'token' : new Promise<string>(() => {})),
        gate,
      });
    const subscription = source.pipe(channelsApart({ open })).subscribe();
    for (let i = 0; i < 5; i++) source.next(silence(2, i * 16_000, 16_000));
    await eventually(() => expect(service.peers[0]?.audio).toHaveLength(5 * 32_000));
    expect(gate.isOpen).toBe(false);
    subscription.unsubscribe();
    expect(gate.isOpen).toBe(true);
  });
});

/** A service whose peers are identified by their tokens, which are their channels. */
const byChannel = (url: string) =>
  channelsApart({ open: channel => transcribe({ url, token: `channel${channel}` }) });

test('of two who speak at once, one is shown at a time, and then the other', async () => {
  const peers = new Map<string | null, StreamPeer>();
  await using service = await startStreamService(peer => {
    peers.set(peer.query.get('access_token'), peer);
    peer.say(connectedMessage);
  });
  const said = (type: string, ts: number, endTs: number, value: string) => ({
    type,
    ts,
    end_ts: endTs,
    elements: [{ type: 'text', value, ts, end_ts: endTs }],
  });
  const source = new Subject<AudioBlock>();
  const live = byChannel(service.url);
  const statuses = statusesOf(live);
  const shown: string[] = [];
  const subscription = source.pipe(live).subscribe(event => {
    if (event.type === 'partial' || event.type === 'final') {
      shown.push(`${event.type} of ${event.channel}: ${textOf(event.elements)}`);
    }
  });
  source.next(silence(2));
  await eventually(() => expect(statuses.filter(({ type }) => type === 'connected')).toHaveLength(2));
  peers.get('channel0')!.say(said('partial', 1, 2, 'one'));
  await eventually(() => expect(shown).toHaveLength(1));
  // What no client knows comes back as a status: so it is seen that the partial before it was read.
  peers.get('channel1')!.say(said('partial', 1.5, 2, 'other'), { type: 'novelty' });
  await eventually(() => expect(statuses.at(-1)).toMatchObject({ code: 'unknown-message', channel: 1 }));
  peers.get('channel0')!.say(said('final', 1, 2, 'one two'));
  await eventually(() => expect(shown.length).toBeGreaterThan(2));
  expect(shown).toEqual(['partial of 0: one', 'final of 0: one two', 'partial of 1: other']);
  subscription.unsubscribe();
});

describe('the end', () => {
  test('of one channel with an error is that of all, and of the source', async () => {
    await using service = await startStreamService(peer => {
      if (peer.query.get('access_token') === 'channel1') peer.close(CLOSE.outOfCredit);
      else peer.say(connectedMessage);
    });
    const source = new Subject<AudioBlock>();
    const live = byChannel(service.url);
    const statuses = statusesOf(live);
    let wasObserved: boolean | undefined;
    const result = new Promise(resolve => {
      source.pipe(live).subscribe({
        error(error) {
          wasObserved = source.observed;
          resolve(error);
        },
      });
    });
    source.next(silence(3));
    expect(await result).toBeInstanceOf(OutOfCreditError);
    expect(wasObserved).toBe(false);
    await Promise.all(service.peers.map(({ closed }) => closed));
    expect(statuses.at(-1)).toMatchObject({ type: 'failed', channel: 1 });
    expect(await firstValueFrom(live.status$)).toMatchObject({ type: 'failed', channel: 1 });
  });

  test('by unsubscribing closes every connection at once and frees the source', async () => {
    await using service = await startStreamService(() => {});
    const source = new Subject<AudioBlock>();
    const live = byChannel(service.url);
    const statuses = statusesOf(live);
    const subscription = source.pipe(live).subscribe();
    source.next(silence(2));
    await eventually(() => expect(statuses.filter(({ type }) => type === 'open')).toHaveLength(2));
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
    expect(statuses.slice(-2)).toMatchObject([0, 1].map(channel => ({ type: 'closed', channel })));
    expect(await Promise.all(service.peers.map(({ closed }) => closed))).toEqual([1000, 1000]);
  });

  test('before the first block leaves nothing', () => {
    const source = new Subject<AudioBlock>();
    const live = byChannel('http://127.0.0.1:1');
    const statuses = statusesOf(live);
    source.pipe(live).subscribe().unsubscribe();
    expect(source.observed).toBe(false);
    expect(statuses).toEqual([]);
  });

  test('of a source without audio is one warning', async () => {
    const live = byChannel('http://127.0.0.1:1');
    const statuses = statusesOf(live);
    expect(await lastValueFrom(EMPTY.pipe(live, toArray()))).toEqual([]);
    expect(statuses).toMatchObject([{ type: 'warning', code: 'no-audio', channel: 0 }]);
  });

  test.for([
    ['before any audio', EMPTY],
    ['within the audio', of(silence(2))],
  ] as const)('of a source that fails %s is its error', async ([, audio]) => {
    await using service = await startStreamService(() => {});
    const broken = new Error('broken');
    const live = byChannel(service.url);
    const result = lastValueFrom(
      concat(
        audio,
        throwError(() => broken),
      ).pipe(live),
    );
    await expect(result).rejects.toBe(broken);
    expect(await firstValueFrom(live.status$)).toEqual({ type: 'failed', error: broken, channel: 0 });
  });

  test('of a source that fails leaves a hole in each channel', async () => {
    await using service = await startStreamService(peer => peer.say(connectedMessage));
    const live = byChannel(service.url);
    const statuses = statusesOf(live);
    const source = new Subject<AudioBlock>();
    const events: LiveEvent[] = [];
    const failed = new Promise(resolve => {
      source.pipe(live).subscribe({ next: event => events.push(event), error: resolve });
    });
    source.next(silence(2));
    await eventually(() => expect(statuses.filter(({ type }) => type === 'connected')).toHaveLength(2));
    source.error(new Error('broken'));
    await failed;
    const holes = events.filter(({ type }) => type === 'hole');
    expect(holes).toMatchObject([0, 1].map(channel => ({ cause: 'gave-up', ts: 0, channel })));
    expect(statuses.filter(({ type }) => type === 'failed')).toMatchObject([{ channel: 0 }]);
  });

  test('comes when the number of channels changes', async () => {
    await using service = await startStreamService(() => {});
    const result = lastValueFrom(concat(of(silence(2), silence(3, 160)), NEVER).pipe(byChannel(service.url)));
    await expect(result).rejects.toThrow(InvalidArgumentError);
    await expect(result).rejects.toThrow(
      'Cannot stream 3 channels from frame 160 on: the stream began with 2.',
    );
  });

  test('comes at the first block, when the options are no good', async () => {
    const live = apart({ url: 'nowhere' });
    const source = new Subject<AudioBlock>();
    const result = lastValueFrom(source.pipe(live));
    source.next(silence(2));
    await expect(result).rejects.toThrow(InvalidArgumentError);
    expect(source.observed).toBe(false);
  });

  test('is no end for those who try again', async () => {
    let refusals = 2;
    await using service = await startStreamService(peer =>
      refusals-- > 0 ? peer.close(CLOSE.unauthorized) : polite(peer),
    );
    const events = await lastValueFrom(of(silence(2)).pipe(byChannel(service.url), retry(3), toArray()));
    expect(finalsOf(events, 0)).toHaveLength(1);
    expect(finalsOf(events, 1)).toHaveLength(1);
  });
});

test('channels that resample() has mixed are refused, and those it keeps are not', async () => {
  await using service = await startStreamService();
  const stereo = fromFrames([new Int16Array(3200)], { sampleRate: 16_000, channels: 2 });
  const live = transcribe({ url: service.url, token: 't', channelStreams: 'apart' });
  const mixed = lastValueFrom(stereo.pipe(resample(), chunk(), live), { defaultValue: undefined });
  await expect(mixed).rejects.toThrow("Use resample({ channels: 'keep' }).");
  await lastValueFrom(stereo.pipe(resample({ channels: 'keep' }), chunk(), live));
  const mono = fromFrames([new Int16Array(1600)], { sampleRate: 16_000, channels: 1 });
  await lastValueFrom(mono.pipe(resample(), live));
});
