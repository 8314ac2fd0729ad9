// @module-tag tools

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { firstTimeOf, HEAD_BYTES } from '../../../../src/captions/outputs/hls/firstTime.ts';
import { hlsMediaLine } from '../../../../src/captions/outputs/hls/hlsOptions.ts';
import { hlsOutput } from '../../../../src/captions/outputs/hls/hlsOutput.ts';
import { parseMediaPlaylist } from '../../../../src/captions/outputs/hls/mediaPlaylist.ts';
import { useChromium } from '../../../helpers/chromium.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { readHlsCaptions } from '../../../helpers/hlsCaptions.ts';
import { exitOf, startLiveVideo } from '../../../helpers/liveVideo.ts';
import { httpServer } from '../../../helpers/loopbackServer.ts';
import { needsProgram } from '../../../helpers/needs.ts';

/** A caption that a player has shown. */
interface ShownCue {
  readonly text: string;
  /** Date of its start by the dates of the video, in milliseconds since 1970-01-01 UTC. */
  readonly startMs: number;
  /** Date in the video at which it appeared. */
  readonly appearedMs: number;
}

interface PlayerReport {
  readonly shown: readonly ShownCue[];
  /** Texts of all captions that the player has loaded. */
  readonly loaded: readonly string[];
  /** Errors that ended the playback or concern captions; hls.js tries again after others. */
  readonly errors: readonly string[];
  readonly isEnded: boolean;
}

const HLS_JS = createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js');
const TYPES: Readonly<Record<string, string>> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.vtt': 'text/vtt',
};

const PAGE = `<!doctype html><meta charset="utf-8"><video muted></video><script src="/hls.js"></script><script>
const video = document.querySelector('video');
const hls = new Hls({ liveSyncDurationCount: 6, renderTextTracksNatively: true });
const shown = [], errors = [];
let active = new Set();
hls.on(Hls.Events.ERROR, (_, { fatal, details, reason, error }) => {
  if (fatal || details.startsWith('subtitle')) errors.push([details, reason, error?.message].join(' '));
});
hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => setTimeout(() => { hls.subtitleDisplay = true; hls.subtitleTrack = 0; }));
const tracks = () => [...video.textTracks];
function look() {
  const date = hls.playingDate?.getTime();
  const now = tracks().flatMap(track => [...track.activeCues ?? []]);
  if (date) for (const cue of now) if (!active.has(cue)) {
    shown.push({ text: cue.text, startMs: date + (cue.startTime - video.currentTime) * 1000, appearedMs: date });
  }
  active = new Set(now);
}
setInterval(look, 20);
video.textTracks.addEventListener('addtrack', ({ track }) => track.addEventListener('cuechange', look));
window.playerReport = () => ({ shown, errors, isEnded: video.ended,
  loaded: tracks().flatMap(track => [...track.cues ?? []].map(cue => cue.text)) });
hls.loadSource('/main.m3u8');
hls.attachMedia(video);
</script>`;

/**
 * Plays the multivariant playlist `main.m3u8` of a directory in Chromium with hls.js, six segments behind the end. Its
 * `playerReport()` returns a {@link PlayerReport}.
 */
async function playHls(browser: Browser, directory: string): Promise<Page> {
  const { url } = await httpServer(async (request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(PAGE);
      return;
    }
    const file = path === '/hls.js' ? HLS_JS : join(directory, path);
    const bytes = await readFile(file).catch(() => undefined);
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(bytes ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' }).end(bytes);
  });
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${url}/`);
  return page;
}

const FORMATS = {
  'MPEG transport streams': ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  'fragmented MP4': [
    ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
    ...['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4'],
  ],
};
/** Milliseconds from one caption to the next, of its length, and from its start to its arrival. */
const CUE = { everyMs: 1300, lengthMs: 1100, lateMs: 1500 } as const;
const CUES = 15;
const RESTART_AFTER = 7;

const browser = useChromium();
beforeEach(context => needsProgram(context, 'ffmpeg'));

const MASTER = [
  '#EXTM3U',
  hlsMediaLine({}),
  '#EXT-X-STREAM-INF:BANDWIDTH=200000,SUBTITLES="captions"',
  'video.m3u8',
  '',
].join('\n');

describe('hls.js in Chromium', () => {
  it.each(Object.entries(FORMATS))('shows each caption once and in time beside %s', async (_, format) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'main.m3u8'), MASTER);
    const encoder = startLiveVideo({ directory, seconds: 42, segmentSeconds: 2, format });
    onTestFinished(() => void encoder.kill('SIGKILL'));
    const video = join(directory, 'video.m3u8');
    await eventually(() => expect(existsSync(video)).toBe(true));

    const notes: string[] = [];
    const start = () => hlsOutput({ directory, video, onNote: note => notes.push(note) });
    let output = start();
    onTestFinished(() => output.close());
    // A player is as far behind as the captions, the writer's reading and its own readings take.
    await eventually(() =>
      expect(existsSync(join(directory, 'video6.m4s')) || existsSync(join(directory, 'video6.ts'))).toBe(
        true,
      ),
    );
    const page = await playHls(browser(), directory);

    const spoken = new Map<string, number>();
    for (let index = 0; index < CUES; index++) {
      const spokenAtMs = Date.now() - CUE.lateMs;
      const text = `Caption ${index}.`;
      spoken.set(text, spokenAtMs);
      output.take({ type: 'cues', cues: [{ ts: 0, endTs: CUE.lengthMs / 1000, lines: [text], spokenAtMs }] });
      if (index === RESTART_AFTER) {
        await output.close();
        output = start();
      }
      await setTimeout(CUE.everyMs);
    }
    expect(await exitOf(encoder)).toBe(0);
    const report = () => page.evaluate('playerReport()') as Promise<PlayerReport>;
    await eventually(async () => expect((await report()).isEnded).toBe(true));

    const { shown, loaded, errors } = await report();
    expect({ errors, notes }).toEqual({ errors: [], notes: [] });
    expect(loaded).toEqual([...spoken.keys()]);
    expect(shown.map(({ text }) => text)).toEqual([...spoken.keys()]);
    for (const { text, startMs } of shown) {
      expect(Math.abs(startMs - spoken.get(text)!), `time of '${text}'`).toBeLessThan(50);
    }
    // A busy machine holds the page up now and then.
    const lateMs = shown.map(({ text, appearedMs }) => appearedMs - spoken.get(text)!).sort((a, b) => a - b);
    expect(lateMs.at(Math.floor(CUES * 0.8))).toBeLessThan(300);
    const { segments, isEnded } = await readHlsCaptions(directory);
    expect([segments.length, isEnded]).toEqual([12, true]);
  });

  it.each(Object.entries(FORMATS))(
    'has the presentation times that ffprobe finds in %s',
    async (_, format) => {
      const directory = await temporaryDirectory();
      const encoder = startLiveVideo({ directory, seconds: 5, segmentSeconds: 2, format, isLive: false });
      expect(await exitOf(encoder)).toBe(0);
      const playlist = parseMediaPlaylist(await readFile(join(directory, 'video.m3u8'), 'utf8'));
      expect(playlist.segments.length).toBe(3);
      for (const { uri, map } of playlist.segments) {
        const bytes = await readFile(join(directory, uri));
        const init = map && (await readFile(join(directory, map.uri)));
        const whole = join(directory, `whole-${uri}`);
        await writeFile(whole, init ? Buffer.concat([init, bytes]) : bytes);
        expect(firstTimeOf(bytes.subarray(0, HEAD_BYTES), init)).toBeCloseTo(probedTime(whole), 3);
      }
    },
  );
});

/** Returns the presentation time of the first packet of a file by ffprobe, in seconds. */
function probedTime(path: string): number {
  const args = ['-loglevel', 'error', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path];
  const { stdout } = spawnSync('ffprobe', args, { encoding: 'utf8' });
  return Number.parseFloat(stdout);
}
