// @module-tag tools

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { firstTimeOf, HEAD_BYTES } from '../../../../src/captions/outputs/hls/firstTime.ts';
import { hlsMediaLine } from '../../../../src/captions/outputs/hls/hlsOptions.ts';
import { hlsOutput } from '../../../../src/captions/outputs/hls/hlsOutput.ts';
import { parseMediaPlaylist } from '../../../../src/captions/outputs/hls/mediaPlaylist.ts';
import { useChromium } from '../../../helpers/chromium.ts';
import { temporaryDirectory } from '../../../helpers/dataDirectory.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { readHlsCaptions } from '../../../helpers/hlsCaptions.ts';
import { type PlayerReport, playHls } from '../../../helpers/hlsPlayer.ts';
import { exitOf, startLiveVideo } from '../../../helpers/liveVideo.ts';
import { needsProgram } from '../../../helpers/needs.ts';

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
