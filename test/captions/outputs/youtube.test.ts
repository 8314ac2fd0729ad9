import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { CaptionOutput } from '../../../src/captions/outputs/captionOutput.ts';
import {
  checkYouTube,
  checkYouTubeOptions,
  type YouTubeOptions,
  youtubeOutput,
} from '../../../src/captions/outputs/youtube.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { type CaptionServer, type Treatment, youtubeServer } from '../../helpers/captionServers.ts';
import { eventually } from '../../helpers/eventually.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { cueStep, spokenCue } from '../../helpers/liveCues.ts';
import { rawServer } from '../../helpers/loopbackServer.ts';

const notes: string[] = [];

/** An output whose waits are short, except for the timeout. */
function outputTo(
  { address }: Pick<CaptionServer, 'address'>,
  options: Partial<YouTubeOptions> = {},
): CaptionOutput {
  notes.length = 0;
  const onNote = (note: string) => notes.push(note);
  const output = youtubeOutput({ address, clock: hurriedClock, timeoutMs: 60_000, onNote, ...options });
  onTestFinished(() => output.close());
  return output;
}

/** Resolves when the first, empty POST has its answer: a caption that comes before it does not wait for the interval. */
const untilBegun = ({ requests }: CaptionServer, clock: VirtualClock) =>
  eventually(() => expect([requests.length, clock.pending]).toEqual([1, 0]));

const textsOf = ({ accepted }: CaptionServer) => accepted.map(({ text }) => text);

describe('the output to YouTube', () => {
  it('posts captions with the time of speech by the clock of YouTube', async () => {
    const server = await youtubeServer({ now: () => Date.now() + 40_000 });
    const output = outputTo(server);
    const spokenAtMs = Date.now() - 50_000;
    output.take(cueStep('>> Good morning,\nladies <and> gentlemen.', spokenAtMs));
    await eventually(() => expect(output.report().shown).toBe(1));
    const { text, timeMs } = server.accepted[0]!;
    expect(text).toBe('>> Good morning,<br>ladies [and] gentlemen.');
    expect(Math.abs(timeMs! - (spokenAtMs + 40_000))).toBeLessThan(500);
    expect(server.breaches).toEqual([]);
    // The first request is empty and learns the clock.
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '', contentType: 'text/plain' });
    expect(output.report()).toEqual({ shown: 1, skipped: 0, failures: 0 });
  });

  it('repeats a failed POST with the same number and body, and posts each caption once', async () => {
    const faults: readonly Treatment[] = [
      'fair',
      500,
      'reset',
      'lost answer',
      503,
      'fair',
      'lost answer',
      'fair',
    ];
    const server = await youtubeServer({ treat: index => faults[index] ?? 'fair' });
    const output = outputTo(server);
    const start = Date.now() - 20_000;
    const texts = Array.from({ length: 12 }, (_, index) => `Sentence ${index}.`);
    for (const [index, text] of texts.entries()) {
      if (index === 6) await eventually(() => expect(output.report().shown).toBe(6));
      output.take(cueStep(text, start + index * 1000));
    }
    await eventually(() => expect(output.report().shown).toBe(12));
    expect(textsOf(server)).toEqual(texts);
    expect(server.breaches).toEqual([]);
    expect(output.report()).toMatchObject({ shown: 12, skipped: 0, failures: 5 });
    expect(notes).toEqual([
      expect.stringMatching(/^Output youtube fails: '127\.0\.0\.1:\d+' answered with status 500\.$/),
      'Output youtube works again.',
      expect.stringMatching(
        /^Output youtube fails: No connection to '127\.0\.0\.1:\d+' \(UND_ERR_SOCKET\)\.$/,
      ),
      'Output youtube works again.',
    ]);
    const numbers = server.requests.slice(1).map(({ url }) => Number(url.searchParams.get('seq')));
    const grown = [...new Set(numbers)].map(number => number - numbers[0]!);
    expect(grown).toEqual(grown.map((_, index) => index));
  });

  it('takes no number that an earlier process used', async () => {
    const server = await youtubeServer();
    const clock = new VirtualClock(Date.now());
    for (const text of ['one', 'two', 'three']) {
      const output = outputTo(server, { clock, minIntervalMs: 0 });
      output.take(cueStep(text, clock.wallTime()));
      await eventually(() => expect(textsOf(server)).toContain(text));
      await output.close();
      clock.advance(1500);
    }
    expect(server.breaches).toEqual([]);
  });

  it('gives up captions that are too old, and says so in its counters', async () => {
    let isDown = true;
    const server = await youtubeServer({ treat: () => (isDown ? 503 : 'fair') });
    const output = outputTo(server);
    output.take(cueStep('too late', Date.now() - 56_000));
    output.take(cueStep('in time', Date.now()));
    await eventually(() => expect(server.requests.length).toBeGreaterThan(3));
    isDown = false;
    await eventually(() => expect(output.report()).toMatchObject({ shown: 1, skipped: 1 }));
    expect(textsOf(server)).toEqual(['in time']);
    expect(server.breaches).toEqual([]);
  });

  it('works again when all captions of an outage were too old', async () => {
    let isDown = true;
    const server = await youtubeServer({ treat: () => (isDown ? 503 : 'fair') });
    const output = outputTo(server);
    output.take(cueStep('too late', Date.now() - 56_000));
    await eventually(() => expect(output.report().failures).toBeGreaterThan(1));
    expect(output.report().failure).toContain('status 503');
    isDown = false;
    await eventually(() => expect(output.report().failure).toBeUndefined());
    expect(server.accepted).toEqual([]);
    expect(notes.at(-1)).toBe('Output youtube works again.');
  });

  it('corrects the times of refused captions after a clock was set', async () => {
    let skew = 0;
    const server = await youtubeServer({ now: () => Date.now() + skew });
    const output = outputTo(server);
    await eventually(() => expect(server.requests).toHaveLength(1));
    skew = 3_600_000;
    const spokenAtMs = Date.now();
    output.take(cueStep('after the change', spokenAtMs));
    await eventually(() => expect(output.report().shown).toBe(1));
    expect(Math.abs(server.accepted[0]!.timeMs! - spokenAtMs - skew)).toBeLessThan(50);
    expect(server.breaches).toEqual([]);
    expect(output.report()).toMatchObject({ shown: 1, skipped: 0, failures: 1 });
  });

  it('gives up captions that are refused for another reason, and goes on', async () => {
    const server = await youtubeServer({ treat: index => (index === 1 ? 400 : 'fair') });
    const output = outputTo(server);
    output.take(cueStep('refused', Date.now()));
    await eventually(() => expect(output.report().skipped).toBe(1));
    output.take(cueStep('taken', Date.now()));
    await eventually(() => expect(textsOf(server)).toEqual(['taken']));
  });

  it('tries again 2 s after the address was refused, as it is until a broadcast starts', async () => {
    const server = await youtubeServer({ treat: index => (index === 0 ? 403 : 'fair') });
    const clock = new VirtualClock(Date.now());
    const output = outputTo(server, { clock });
    output.take(cueStep('Welcome.', clock.wallTime()));
    await eventually(() => expect(output.report().failure).toContain('status 403'));
    await clock.advanceAsync(1999);
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await eventually(() => expect(textsOf(server)).toEqual(['Welcome.']));
    await eventually(() => expect(notes.at(-1)).toBe('Output youtube works again.'));
  });

  it('does not follow redirects', async () => {
    const server = await youtubeServer({ treat: () => 307 });
    const output = outputTo(server);
    await eventually(() => expect(output.report().failure).toContain('leads to another address'));
    expect(server.requests.every(({ url }) => url.pathname === '/closedcaption')).toBe(true);
  });

  it('tries again after an attempt without an answer', async () => {
    const server = await youtubeServer({ treat: index => (index === 1 ? 'no answer' : 'fair') });
    const output = outputTo(server, { timeoutMs: 6000 });
    output.take(cueStep('heard', Date.now()));
    await eventually(() => expect(textsOf(server)).toEqual(['heard']));
    expect(notes[0]).toBe('Output youtube fails: no answer within 6 s.');
    expect(server.breaches).toEqual([]);
  });

  it('reads only the beginning of an answer', async () => {
    const { url } = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n2026-01-01T00:00:00.000\n');
      const flood = () => socket.writable && socket.write('x'.repeat(65_536), flood);
      flood();
    });
    const found = await checkYouTube({ address: `${url}/closedcaption?cid=k` });
    expect(found).toMatch(/ahead of|behind/);
  });

  it('drops waiting captions when everything is switched off', async () => {
    let isDown = true;
    const server = await youtubeServer({ treat: () => (isDown ? 503 : 'fair') });
    const output = outputTo(server);
    output.take(cueStep('never to be seen', Date.now()));
    output.take({ type: 'off' });
    isDown = false;
    output.take(cueStep('later', Date.now()));
    await eventually(() => expect(output.report()).toMatchObject({ shown: 1, skipped: 1 }));
    expect(textsOf(server)).toEqual(['later']);
  });

  it('posts waiting captions when it is closed, and nothing later', async () => {
    const server = await youtubeServer();
    const output = outputTo(server, { minIntervalMs: 600_000, clock: systemClock });
    const start = Date.now() - 50_000;
    for (let index = 0; index < 40; index++) output.take(cueStep(`Caption ${index}.`, start + index * 1000));
    await output.close();
    expect(textsOf(server)).toHaveLength(40);
    output.take(cueStep('too late', Date.now()));
    expect(server.breaches).toEqual([]);
    expect(output.report()).toMatchObject({ shown: 40, skipped: 0 });
  });

  it('keeps its interval when it is closed, and posts all that waits at once', async () => {
    const clock = new VirtualClock(Date.now());
    const postedAtMs: number[] = [];
    const treat = () => {
      postedAtMs.push(clock.now());
      return 'fair' as const;
    };
    const server = await youtubeServer({ treat });
    const output = outputTo(server, { clock });
    await untilBegun(server, clock);
    output.take(cueStep('One.', clock.wallTime()));
    await clock.advanceAsync(1000);
    await eventually(() => expect(output.report().shown).toBe(1));
    await clock.advanceAsync(400);
    const start = clock.wallTime() - 50_000;
    for (let index = 0; index < 3; index++) output.take(cueStep(`Late ${index}.`, start + index * 20_000));
    const closed = output.close();
    await clock.advanceAsync(600);
    await closed;
    expect(textsOf(server)).toEqual(['One.', 'Late 0.', 'Late 1.', 'Late 2.']);
    expect(postedAtMs).toEqual([0, 1000, 2000]);
    expect(server.breaches).toEqual([]);
  });

  it('repeats a failed POST and posts waiting captions, an interval apart, when it is closed', async () => {
    const clock = new VirtualClock(Date.now());
    const postedAtMs: number[] = [];
    const treat = (index: number) => {
      postedAtMs.push(clock.now());
      return index === 1 ? 503 : 'fair';
    };
    const server = await youtubeServer({ treat });
    const output = outputTo(server, { clock });
    await untilBegun(server, clock);
    output.take(cueStep('One.', clock.wallTime()));
    await clock.advanceAsync(1000);
    await eventually(() => expect(output.report().failures).toBe(1));
    output.take(cueStep('Two.', clock.wallTime()));
    const closed = output.close();
    await clock.advanceAsync(1000);
    await eventually(() => expect(textsOf(server)).toEqual(['One.']));
    await eventually(() => expect(output.report()).toMatchObject({ shown: 1 }));
    await clock.advanceAsync(1000);
    await closed;
    expect(textsOf(server)).toEqual(['One.', 'Two.']);
    expect(postedAtMs).toEqual([0, 1000, 2000, 3000]);
    expect(server.breaches).toEqual([]);
  });

  it('keeps a bounded number of captions', async () => {
    const output = outputTo({ address: 'http://127.0.0.1:9/closedcaption?cid=k' });
    const cues = Array.from({ length: 1000 }, (_, index) => spokenCue(`${index}`, Date.now()));
    output.take({ type: 'cues', cues });
    expect(output.report()).toMatchObject({ skipped: 800 });
  });
});

describe('the options for YouTube', () => {
  it.each([
    [
      'nonsense',
      'The YouTube caption address is not a web address. Copy it again, with https: at its start and without a user name.',
    ],
    ['https://user:pw@upload.youtube.com/closedcaption?cid=k', 'is not a web address'],
    ['http://captions.example/closedcaption?cid=k', "at 'captions.example' begins with http:"],
    [
      'https://upload.youtube.com/closedcaption',
      "at 'upload.youtube.com' lacks 'cid', or 'id' and 'signature' in its query",
    ],
  ])('refuse the address %s', (address, message) => {
    expect(() => checkYouTubeOptions({ address })).toThrow(message);
    expect(() => checkYouTubeOptions({ address })).not.toThrow(/cid=k|pw@/);
  });

  it('accept the address as YouTube gives it, and that of a relay on the machine', () => {
    checkYouTubeOptions({ address: 'http://upload.youtube.com/closedcaption?cid=k' });
    checkYouTubeOptions({ address: 'http://localhost:3000/relay' });
    checkYouTubeOptions({ address: 'http://[::1]:3000/relay', offsetMs: -500, region: 'reg1#cue1' });
  });

  it('refuse values out of range', () => {
    const address = 'http://localhost:3000/relay';
    expect(() => checkYouTubeOptions({ address, offsetMs: 90_000 })).toThrow("Option 'offsetMs' must be");
    expect(() => checkYouTubeOptions({ address, region: 'a b' })).toThrow("Option 'region' must be");
    expect(() => checkYouTubeOptions({ address, maxAgeMs: 0 })).toThrow("Option 'maxAgeMs' must be");
  });
});

describe('the check of a YouTube address', () => {
  it('reports the clock', async () => {
    const server = await youtubeServer({ now: () => Date.now() + 5000 });
    await expect(checkYouTube(server)).resolves.toMatch(
      /^'127\.0\.0\.1:\d+' answers, and its clock is 5\.\d s ahead of /,
    );
    expect(server.accepted).toEqual([]);
  });

  it.each([
    [
      403,
      'unauthorized',
      'answered with status 403: the broadcast has not started, or the address is not valid; copy it again.',
    ],
    [500, 'unavailable', 'answered with status 500.'],
    ['reset', 'unreachable', 'No connection to '],
  ] as const)('reports %s', async (treatment, code, message) => {
    const server = await youtubeServer({ treat: () => treatment });
    const failure = await checkYouTube(server).catch(error => error);
    expect(failure).toMatchObject({ code });
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain('secret');
  });

  it('reports a lack of an answer', async () => {
    const server = await youtubeServer({ treat: () => 'no answer' });
    const failure = await checkYouTube({ ...server, timeoutMs: 50 }).catch(error => error);
    expect(failure).toMatchObject({ code: 'timeout' });
  });
});
