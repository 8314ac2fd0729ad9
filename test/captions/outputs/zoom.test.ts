import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { OutputFeed } from '../../../src/captions/hub/outputFeed.ts';
import type { CaptionOutput } from '../../../src/captions/outputs/captionOutput.ts';
import {
  checkZoom,
  checkZoomOptions,
  type ZoomOptions,
  zoomOutput,
} from '../../../src/captions/outputs/zoom.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { type CaptionServer, type Treatment, zoomServer } from '../../helpers/captionServers.ts';
import { eventually } from '../../helpers/eventually.ts';
import { hurriedClock } from '../../helpers/hurriedClock.ts';
import { cueStep, spokenCue } from '../../helpers/liveCues.ts';

const notes: string[] = [];

/** An output whose waits are short, except for the timeout. */
function outputTo({ address }: CaptionServer, options: Partial<ZoomOptions> = {}): CaptionOutput {
  notes.length = 0;
  const onNote = (note: string) => notes.push(note);
  const output = zoomOutput({ address, clock: hurriedClock, timeoutMs: 60_000, onNote, ...options });
  onTestFinished(() => output.close());
  return output;
}

const textsOf = ({ accepted }: CaptionServer) => accepted.map(({ text }) => text);

describe('the output to Zoom', () => {
  it('posts the text of captions, numbered after the last one that Zoom has', async () => {
    const server = await zoomServer();
    for (const text of ['first run', 'after a restart']) {
      const output = outputTo(server);
      output.take(cueStep(`>> ${text},\nwith two lines.`, Date.now()));
      await eventually(() => expect(textsOf(server).at(-1)).toContain(text));
      await output.close();
    }
    expect(server.accepted).toEqual([
      { sequence: 1, text: '>> first run,\nwith two lines.\n' },
      { sequence: 2, text: '>> after a restart,\nwith two lines.\n' },
    ]);
    expect(server.breaches).toEqual([]);
    const post = server.requests.find(({ method }) => method === 'POST')!;
    expect(post.url.searchParams.get('lang')).toBe('en-US');
    expect(post.url.searchParams.get('sparams')).toBe('id,ns,expire');
  });

  it('drops captions that are taken back while they wait, and says whether one was sent', async () => {
    const server = await zoomServer();
    const output = outputTo(server, { minIntervalMs: 600_000, clock: systemClock });
    const say = (text: string, speechTs: number) =>
      output.take({ type: 'cues', cues: [{ ...spokenCue(text, Date.now()), speechTs }] });
    say('Sent.', 1);
    await eventually(() => expect(output.report().shown).toBe(1));
    say('Kept.', 3);
    say('Taken back.', 5);
    expect(output.retract!({ type: 'retract', fromTs: 5 })).toBe(true);
    expect(output.report()).toMatchObject({ shown: 1, skipped: 1 });
    expect(output.retract!({ type: 'retract', fromTs: 1 })).toBe(false);
    expect(output.report()).toMatchObject({ shown: 1, skipped: 2 });
  });

  it('leaves out captions of speech long ago, as after an outage, whatever its own delay', async () => {
    const server = await zoomServer();
    const output = outputTo(server, { minIntervalMs: 1 });
    const feed = new OutputFeed({ output, delayMs: 100 });
    feed.take(cueStep('Too old.', Date.now() - 31_000));
    feed.take(cueStep('Late.', Date.now() - 25_000));
    await eventually(() => expect(feed.report()).toMatchObject({ shown: 1, skipped: 1 }));
    expect(textsOf(server)).toEqual(['Late.\n']);
  });

  it('posts nothing but captions', async () => {
    const server = await zoomServer();
    const output = outputTo(server);
    output.take({ type: 'notice', text: '[captions paused]' });
    output.take({ type: 'clear' });
    output.take({ type: 'words', added: [{ id: 0, text: 'Partial' }], tail: ['tail'], wording: new Map() });
    output.take(cueStep('Final.', Date.now()));
    output.take({ type: 'end' });
    await eventually(() => expect(output.report().shown).toBe(1));
    expect(textsOf(server)).toEqual(['Final.\n']);
  });

  it.each([400, 403, 405, 408, 500, 502, 503, 504, 'reset', 'lost answer'] as const)(
    'repeats a POST with the same number and body after %s',
    async fault => {
      const server = await zoomServer({ treat: index => (index === 1 || index === 2 ? fault : 'fair') });
      const output = outputTo(server);
      output.take(cueStep('Once.', Date.now()));
      await eventually(() => expect(output.report().shown).toBe(1));
      expect(server.accepted).toEqual([{ sequence: 1, text: 'Once.\n' }]);
      expect(server.breaches).toEqual([]);
      expect(output.report()).toEqual({ shown: 1, skipped: 0, failures: 2 });
      expect(notes).toEqual([expect.stringContaining('Output zoom fails: '), 'Output zoom works again.']);
    },
  );

  it('starts with the meeting', async () => {
    let hasStarted = false;
    const server = await zoomServer({ hasStarted: () => hasStarted });
    const output = outputTo(server);
    output.take(cueStep('Welcome.', Date.now()));
    await eventually(() => expect(output.report().failures).toBeGreaterThan(1));
    expect(output.report().failure).toMatch(/status 400: the meeting has not started$/);
    hasStarted = true;
    await eventually(() => expect(textsOf(server)).toEqual(['Welcome.\n']));
  });

  it('asks a wrong address twice a minute only', async () => {
    const clock = new VirtualClock();
    const server = await zoomServer({ treat: () => 404 });
    const output = outputTo(server, { clock });
    await eventually(() => expect(output.report().failures).toBe(1));
    await clock.advanceAsync(29_000);
    expect(server.requests).toHaveLength(1);
    await clock.advanceAsync(1000);
    await eventually(() => expect(output.report().failures).toBe(2));
    expect(output.report().failure).toMatch(/status 404: the address is not known there; copy it again$/);
    expect(notes).toHaveLength(1);
    expect(notes[0]).not.toContain('secret');
  });

  it('gives up captions that waited too long', async () => {
    const clock = new VirtualClock();
    let isDown = true;
    const server = await zoomServer({ treat: () => (isDown ? 503 : 'fair') });
    const output = outputTo(server, { clock });
    output.take(cueStep('old', clock.wallTime()));
    await eventually(() => expect(output.report().failures).toBeGreaterThan(0));
    clock.advance(31_000);
    isDown = false;
    output.take(cueStep('young', clock.wallTime()));
    await eventually(() => {
      clock.advance(1000);
      expect(textsOf(server)).toEqual(['young\n']);
    });
    await eventually(() => expect(output.report()).toMatchObject({ shown: 1, skipped: 1 }));
  });

  it.each([
    ['en', 'en-US'],
    ['en-GB', 'en-GB'],
    ['de', 'de-DE'],
    ['ja', 'jp-JP'],
    ['zh', 'zh-CN'],
  ])('names the language %s as %s', async (language, lang) => {
    const server = await zoomServer();
    const output = outputTo(server, { language });
    output.take(cueStep('Text.', Date.now()));
    await eventually(() => expect(server.accepted).toHaveLength(1));
    expect(server.requests.at(-1)!.url.searchParams.get('lang')).toBe(lang);
  });
});

describe('the options for Zoom', () => {
  it.each([
    ['http://wmcc.zoom.us/closedcaption?id=1&signature=s', {}, "at 'wmcc.zoom.us' begins with http:"],
    [
      'https://wmcc.zoom.us/closedcaption?id=1',
      {},
      "at 'wmcc.zoom.us' lacks 'id' and 'signature' in its query",
    ],
    [
      'https://wmcc.zoom.us/closedcaption?id=1&signature=s',
      { language: 'e!' },
      "Option 'language' must be a code",
    ],
  ])('refuse %s %j', (address, options, message) => {
    expect(() => checkZoomOptions({ address, ...options })).toThrow(message);
  });
});

describe('the check of a Zoom address', () => {
  it('reports the next number', async () => {
    await expect(checkZoom(await zoomServer())).resolves.toMatch(
      /^'127\.0\.0\.1:\d+' answers, and the next .* number 1\.$/,
    );
  });

  it.each<[Treatment, string, string]>([
    [400, 'protocol', 'the meeting has not started'],
    [403, 'unauthorized', 'copy it again'],
    [404, 'not-found', 'copy it again'],
    [503, 'unavailable', 'status 503'],
  ])('reports %s', async (treatment, code, message) => {
    const failure = await checkZoom(await zoomServer({ treat: () => treatment })).catch(error => error);
    expect(failure).toMatchObject({ code });
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain('secret');
  });
});
