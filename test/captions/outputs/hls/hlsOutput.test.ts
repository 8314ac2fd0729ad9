import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InvalidArgumentError } from '../../../../src/base/errors.ts';
import { hlsKind } from '../../../../src/captions/outputs/hls/hlsKind.ts';
import { checkHls, type HlsOptions, hlsMediaLine } from '../../../../src/captions/outputs/hls/hlsOptions.ts';
import { hlsOutput } from '../../../../src/captions/outputs/hls/hlsOutput.ts';
import { VirtualClock } from '../../../../src/replay/time/virtualClock.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { type CaptionPlaylist, readHlsCaptions } from '../../../helpers/hlsCaptions.ts';
import { type FakeVideoOptions, fakeVideo, transportSegment } from '../../../helpers/hlsVideo.ts';
import { startHttpService } from '../../../helpers/httpService.ts';

const START_MS = Date.UTC(2026, 0, 1);
/** Presentation time of the video's start. */
const FIRST_SECONDS = 1.4;

/** A live video of 2 s segments in virtual time, and an output beside it, whose files are checked after each second. */
async function startLive({
  options = {},
  video: videoOptions = {},
}: {
  options?: Partial<HlsOptions>;
  video?: Partial<FakeVideoOptions>;
} = {}) {
  const { directory = await temporaryDirectory() } = options;
  const clock = new VirtualClock(START_MS);
  const notes: string[] = [];
  const video = fakeVideo({ directory, startMs: START_MS, firstSeconds: FIRST_SECONDS, ...videoOptions });
  const all = { directory, video: video.path, clock, onNote: (note: string) => notes.push(note), ...options };
  const start = () => hlsOutput(all);
  let output = start();
  const texts = new Map<string, string>();

  const read = async () =>
    existsSync(join(directory, `${options.name ?? 'captions'}.m3u8`))
      ? readHlsCaptions(directory, options.name)
      : undefined;
  /** Waits until the output waits for its next reading. */
  const settle = async () => {
    while (clock.nextMs - clock.now() > 2000) await setImmediate();
  };
  const check = (playlist: CaptionPlaylist | undefined) => {
    for (const { file, text } of playlist?.segments ?? []) {
      if (!texts.has(file)) texts.set(file, text);
      expect(text, 'a listed segment never changes').toBe(texts.get(file));
    }
    const last = playlist?.segments.at(-1)?.startMs ?? 0;
    expect(last, 'captions are never ahead of the video').toBeLessThanOrEqual(
      video.lastMs || START_MS + clock.now(),
    );
  };
  onTestFinished(() => output.close());
  await settle();
  return {
    directory,
    clock,
    notes,
    video,
    read,
    get output() {
      return output;
    },
    /** Lets seconds pass; the encoder adds a segment every two. */
    async pass(seconds: number, { isEncoding = true } = {}) {
      for (let second = 0; second < seconds; second++) {
        if (isEncoding && (clock.now() / 1000 + 1) % 2 === 0) await video.add();
        clock.advance(1000);
        await settle();
        check(await read());
      }
    },
    say(ts: number, endTs: number, text: string) {
      const cue = { ts, endTs, lines: [text], spokenAtMs: START_MS + ts * 1000 };
      output.take({ type: 'cues', cues: [cue] });
    },
    async restart() {
      await output.close();
      output = start();
      await settle();
    },
    close: () => output.close(),
  };
}

type Live = Awaited<ReturnType<typeof startLive>>;

/** Captions of all listed segments, with the numbers of the segments that have each, on the clock of the video. */
async function shown(live: Live) {
  const cues = new Map<string, number[]>();
  for (const { sequence, cues: inside } of (await live.read())!.segments) {
    for (const { ts, endTs, text } of inside) {
      const key = `${(ts - FIRST_SECONDS).toFixed(3)} ${(endTs - FIRST_SECONDS).toFixed(3)} ${text}`;
      cues.set(key, [...(cues.get(key) ?? []), sequence]);
    }
  }
  return [...cues].map(([cue, sequences]) => `${cue} [${sequences}]`);
}

describe('hlsOutput', () => {
  it('writes a segment for each of the video, three later, with its date and duration', async () => {
    const live = await startLive();
    await live.pass(20);
    const { segments, targetSeconds, isEnded } = (await live.read())!;
    expect([targetSeconds, isEnded]).toEqual([2, false]);
    expect(segments.map(({ sequence, startMs, seconds }) => [sequence, startMs - START_MS, seconds])).toEqual(
      [1, 2, 3, 4, 5, 6].map(sequence => [sequence, sequence * 2000, 2]),
    );
    expect(live.video.listed).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('shows captions at their time, in both segments at a boundary', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(5);
    live.say(1, 2.5, 'Over a boundary.');
    live.say(3, 4, 'Before a boundary.');
    await live.pass(11);
    expect(await shown(live)).toEqual([
      '1.000 2.500 Over a boundary. [0,1]',
      '3.000 4.000 Before a boundary. [1]',
    ]);
    expect(live.output.report()).toEqual({ shown: 2, skipped: 0, failures: expect.any(Number) });
  });

  it('drops captions that are taken back while no segment has them, and says whether one has', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(5);
    live.say(1, 2.5, 'In two segments.');
    live.say(3, 4, 'Kept.');
    live.say(5, 6, 'Taken back.');
    const retract = (fromTs: number) => live.output.retract!({ type: 'retract', fromTs });
    expect(retract(5)).toBe(true);
    await live.pass(4);
    expect(retract(1)).toBe(false);
    await live.pass(8);
    expect(await shown(live)).toEqual(['1.000 2.500 In two segments. [0,1]']);
    live.say(15, 16, 'Of this run.');
    live.say(17, 18, 'Of the run before.');
    await live.restart();
    expect(retract(0)).toBe(true);
    await live.pass(12);
    expect((await shown(live)).at(-1)).toMatch('Of the run before.');
  });

  it('shows late captions in the first segment that is not written, without overlap', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(12);
    live.say(1, 3, 'Late.');
    live.say(2.5, 6.2, 'Late as well.');
    live.say(6.2, 7, 'In time.');
    live.say(12, 13, 'Later.');
    await live.pass(10);
    expect(await shown(live)).toEqual([
      '6.000 8.000 Late. [3]',
      '8.000 9.000 Late as well. [4]',
      '9.000 9.800 In time. [4]',
      '12.000 13.000 Later. [6]',
    ]);
  });

  it('keeps the time of a caption that is still on screen in the first segment that is not written', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(12);
    live.say(2.5, 7, 'Still on screen.');
    await live.pass(6);
    expect(await shown(live)).toEqual(['2.500 7.000 Still on screen. [3]']);
  });

  it('gives up captions that are more than 15 s late', async () => {
    const live = await startLive({ video: { window: 30 } });
    await live.pass(30);
    live.say(2, 4, 'Too late.');
    await live.pass(4);
    expect(await shown(live)).toEqual([]);
    expect(live.output.report()).toMatchObject({ shown: 0, skipped: 1 });
  });

  it('writes segments earlier where the playlist of the video is short', async () => {
    const live = await startLive({ video: { window: 3 } });
    await live.pass(20);
    expect(live.video.listed).toEqual([7, 8, 9]);
    expect((await live.read())!.segments.map(({ sequence }) => sequence)).toEqual([6, 7, 8]);
  });

  it('adds seconds for a video with other dates', async () => {
    const live = await startLive({ options: { shiftSeconds: 3 }, video: { window: 12 } });
    live.say(1, 2, 'Shifted.');
    await live.pass(14);
    expect(await shown(live)).toEqual(['4.000 5.000 Shifted. [2]']);
  });

  it('shows the notice of an outage until the next caption', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(5);
    live.output.take({ type: 'notice', text: '[captions paused]' });
    live.say(6.5, 8, 'Back again.');
    await live.pass(12);
    expect(await shown(live)).toEqual(['5.000 6.500 [captions paused] [2,3]', '6.500 8.000 Back again. [3]']);
  });

  it('removes captions that are not written when everything is switched off', async () => {
    const live = await startLive({ video: { window: 12 } });
    live.say(1, 2, 'Gone.');
    live.output.take({ type: 'off' });
    await live.pass(12);
    expect(await shown(live)).toEqual([]);
  });

  it('deletes segments some time after they left the playlist', async () => {
    const live = await startLive({ video: { window: 4 } });
    await live.pass(60);
    const files = (await readdir(live.directory)).filter(file => file.endsWith('.vtt'));
    const { segments } = (await live.read())!;
    expect(segments).toHaveLength(4);
    expect(files).toHaveLength(8);
    expect(files).toEqual(expect.arrayContaining(segments.map(({ file }) => file)));
  });

  it('goes on in the same playlist after a restart', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(12);
    live.say(11, 13, 'Before.');
    live.say(13, 14, 'Before, but not in the video yet.');
    await live.restart();
    live.say(14.5, 15.5, 'After.');
    await live.pass(12);
    const { segments } = (await live.read())!;
    expect(segments.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await shown(live)).toEqual([
      '11.000 13.000 Before. [5,6]',
      '13.000 14.000 Before, but not in the video yet. [6]',
      '14.500 15.500 After. [7]',
    ]);
  });

  it('ignores a damaged file of waiting captions', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, '.captions-waiting.json'), '[{"startMs":1},null');
    const live = await startLive({ options: { directory }, video: { directory } });
    await live.pass(10);
    expect(live.notes.filter(note => !note.includes('does not exist'))).toEqual(['Output hls works again.']);
  });

  it('begins anew when the video has gone on without it for longer than its playlist', async () => {
    const live = await startLive({ video: { window: 4 } });
    await live.pass(12);
    await live.close();
    for (let segment = 0; segment < 10; segment++) await live.video.add();
    live.clock.advance(20_000);
    await live.restart();
    await live.pass(2);
    const { segments } = (await live.read())!;
    const [first] = segments;
    expect(first!.sequence).toBeGreaterThanOrEqual(12);
    expect(segments.every(({ sequence, startMs }) => startMs === START_MS + sequence * 2000)).toBe(true);
  });

  it('follows an encoder that starts again, with a discontinuity', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(8);
    live.say(7, 9, 'Across.');
    await live.video.restart({ how: 'append', afterSeconds: 2 });
    await live.pass(2, { isEncoding: false });
    live.say(10.5, 12, 'On the new timeline.');
    await live.pass(14);
    const segments = (await live.read())!.segments.filter(({ cues }) => cues.length > 0);
    expect(
      segments.map(({ sequence, discontinuity, cues }) => [sequence, discontinuity, cues[0]!.ts.toFixed(1)]),
    ).toEqual([
      [3, 0, '8.4'],
      [4, 1, '1.9'],
    ]);
  });

  it('follows an encoder that starts again from 0', async () => {
    const live = await startLive({ video: { window: 5 } });
    await live.pass(30);
    await live.video.restart({ how: 'anew', afterSeconds: 0 });
    await live.pass(6);
    live.say(36.5, 37.5, 'Anew.');
    await live.pass(12);
    const { segments } = (await live.read())!;
    expect(segments.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const [with_] = segments.filter(({ cues }) => cues.length > 0);
    expect([with_!.sequence, with_!.cues[0]!.ts.toFixed(1)]).toEqual([3, '7.9']);
  });

  it('ends the playlist when the video has ended and its captions are there', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(10);
    await live.video.end();
    await live.pass(3, { isEncoding: false });
    expect((await live.read())!.isEnded).toBe(false);
    live.say(9, 10, 'The end.');
    // The last segments come at the pace of the video.
    expect((await live.read())!.segments.at(-1)!.sequence).toBe(2);
    await live.pass(7, { isEncoding: false });
    const { segments, isEnded } = (await live.read())!;
    expect([segments.length, isEnded]).toEqual([5, true]);
    expect(await shown(live)).toEqual(['9.000 10.000 The end. [4]']);
  });

  it('writes the waiting captions when it is closed, and ends with the video', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(10);
    live.say(8, 9, 'Last words.');
    await live.video.end();
    live.output.take({ type: 'end' });
    await live.close();
    expect((await live.read())!.isEnded).toBe(true);
    expect(await shown(live)).toEqual(['8.000 9.000 Last words. [4]']);
    expect(live.clock.pending).toBe(0);
  });

  it('notes once that the video cannot be read, and goes on when it can', async () => {
    const live = await startLive();
    live.say(1, 2, 'One.');
    await live.pass(6, { isEncoding: false });
    expect(live.notes).toEqual([`Output hls fails: Cannot read '${live.video.path}': it does not exist.`]);
    expect(live.output.report().failure).toContain('does not exist');
    await live.pass(12);
    expect(live.notes.slice(1)).toEqual(['Output hls works again.']);
    expect(await shown(live)).toEqual(['1.000 2.000 One. [0]']);
  });

  it('holds a caption back while the time of its segment cannot be read', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(6);
    await writeFile(join(live.directory, 'video1.ts'), 'no video');
    live.say(2.5, 3.5, 'Held.');
    await live.pass(4);
    expect(live.notes.at(-1)).toContain('A segment of the video has no time');
    await writeFile(join(live.directory, 'video1.ts'), transportSegment(FIRST_SECONDS + 2));
    await live.pass(4);
    expect(await shown(live)).toEqual(['2.500 3.500 Held. [1]']);
  });

  it('counts on from the last time that it read, but not over a discontinuity', async () => {
    const live = await startLive({ video: { window: 12 } });
    await live.pass(8);
    live.say(2.5, 3.5, 'Read.');
    live.say(4.5, 5.5, 'Counted on.');
    await writeFile(join(live.directory, 'video2.ts'), 'no video');
    await live.video.restart({ how: 'append', afterSeconds: 0 });
    live.say(8.5, 9.5, 'Held.');
    await live.pass(2);
    await writeFile(join(live.directory, 'video4.ts'), 'no video');
    await live.pass(8);
    expect(await shown(live)).toEqual(['2.500 3.500 Read. [1]', '4.500 5.500 Counted on. [2]']);
    expect(live.output.report().failure).toContain('has no time');
  });

  it('leaves the playlist of another program alone', async () => {
    const directory = await temporaryDirectory();
    const other = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nother.vtt\n';
    await writeFile(join(directory, 'captions.m3u8'), other);
    const live = await startLive({ options: { directory } });
    expect(live.notes[0]).toContain('is not a playlist of live captions. Choose another directory.');
    await live.close();
    expect(await readFile(join(directory, 'captions.m3u8'), 'utf8')).toBe(other);
  });
});

describe('the video over HTTP', () => {
  it('is read by the first variant of a multivariant playlist, with the head of each segment only', async () => {
    const directory = await temporaryDirectory();
    const video = fakeVideo({ directory, startMs: START_MS, window: 12 });
    const service = await startHttpService(async ({ url, headers }) => {
      if (url.startsWith('/live/main.m3u8?'))
        return { text: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow/video.m3u8\n' };
      const [, file] = /^\/live\/low\/(.*)$/.exec(url) ?? [];
      const bytes = await readFile(join(directory, file!)).catch(() => undefined);
      return bytes ? { status: headers.range ? 206 : 200, bytes } : { status: 404 };
    });
    const live = await startLive({
      options: { directory, video: `${service.url}/live/main.m3u8?key=secret` },
    });
    expect(live.notes).toEqual([
      `Output hls fails: Cannot read the video at ${new URL(service.url).host}: HTTP status 404.`,
    ]);
    await live.pass(12, { isEncoding: false });
    for (let segment = 0; segment < 6; segment++) await video.add();
    live.say(1, 2, 'Over HTTP.');
    await live.pass(2, { isEncoding: false });
    expect(await shown(live)).toEqual(['1.000 2.000 Over HTTP. [0]']);
    const ranges = service.requests.filter(({ headers }) => headers.range);
    expect(ranges.map(({ url, headers }) => [url, headers.range])).toEqual([
      ['/live/low/video0.ts', 'bytes=0-65535'],
    ]);
  });
});

describe('checkHls', () => {
  it('describes the video', async () => {
    const directory = await temporaryDirectory();
    const video = fakeVideo({ directory, startMs: START_MS });
    for (let segment = 0; segment < 3; segment++) await video.add();
    const clock = new VirtualClock(START_MS + 7000);
    expect(await checkHls({ directory, video: video.path, clock })).toBe(
      'The video lists 3 segments of at most 2 s and ended 1 s ago by the clock of this machine.',
    );
  });

  it('names the fault of the video', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'video.m3u8');
    await expect(checkHls({ directory, video: path })).rejects.toThrow(
      `Cannot read '${path}': it does not exist.`,
    );
    await writeFile(path, '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n');
    await expect(checkHls({ directory, video: path })).rejects.toThrow('-hls_flags program_date_time');
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="key"';
    const date = '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z';
    await writeFile(path, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${key}\n${date}\n#EXTINF:2,\na.ts\n`);
    await expect(checkHls({ directory, video: path })).rejects.toThrow('its segments are encrypted');
  });

  it.each<[string, Partial<HlsOptions>, string]>([
    ['a file for a directory', { directory: import.meta.filename }, 'it is not a directory'],
    ['no video', { video: '' }, 'must be a path or an http address'],
    [
      'a password in the address',
      { video: 'https://me:secret@example.com/v.m3u8' },
      'without user name and password',
    ],
    ['a path for a name', { name: '../captions' }, "not '../captions'"],
    ['a bad language', { language: 'en"' }, "not 'en\"'"],
    ['half a segment', { delaySegments: 0.5 }, "Option 'delaySegments' must be an integer"],
    ['no number', { shiftSeconds: Number.NaN }, "Option 'shiftSeconds' must be a number"],
  ])('refuses %s', async (_, options, problem) => {
    const all = { directory: 'captions', video: 'video.m3u8', ...options };
    expect(() => hlsOutput(all)).toThrow(InvalidArgumentError);
    await expect(checkHls(all)).rejects.toThrow(problem);
  });
});

describe('hlsMediaLine', () => {
  it('is printed by itself, below an explanation that fits a terminal', async () => {
    const { video, directory } = await startLive();
    const named = hlsKind.named({ hls: directory, hlsClock: video.path, language: 'en' })!;
    const [explanation, line] = named.setupLines!;
    expect(explanation).toContain('SUBTITLES="captions"');
    expect(explanation!.length).toBeLessThanOrEqual(80);
    expect(line).toBe(hlsMediaLine({ language: 'en' }));
  });

  it('names the captions in their own language', () => {
    expect(hlsMediaLine({ language: 'de', name: 'deutsch' })).toBe(
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",URI="deutsch.m3u8"',
    );
  });
});
