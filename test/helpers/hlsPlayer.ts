import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { httpServer } from './loopbackServer.ts';

/** A caption that a player has shown. */
export interface ShownCue {
  readonly text: string;
  /** Date of its start by the dates of the video, in milliseconds since 1970-01-01 UTC. */
  readonly startMs: number;
  /** Date in the video at which it appeared. */
  readonly appearedMs: number;
}

export interface PlayerReport {
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
export async function playHls(browser: Browser, directory: string): Promise<Page> {
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
