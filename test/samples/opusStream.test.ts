import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { decodePcm } from '../../src/audio/pcm/pcm.ts';
import { fromFile, resample } from '../../src/index.ts';
import { cleanEnvironment } from '../helpers/commandLine.ts';
import { startStreamService } from '../helpers/streamService.ts';

const SAMPLE = new URL('../../samples/opus-stream.ts', import.meta.url).pathname;

/** Frames at 16 kHz that an encoder puts before the audio, which a file leaves out: 312 at 48 kHz. */
const PRE_SKIP = 104;

test.each(['opusenc-mono.opus', 'ffmpeg-stereo.opus'])(
  'the audio of the packets of %s is streamed',
  async name => {
    await using service = await startStreamService();
    const path = new URL(`../fixtures/audio/${name}`, import.meta.url).pathname;
    const env = cleanEnvironment({ RXSCRIBE_URL: service.url, RXSCRIBE_TOKEN: 'token' });
    const args = ['--conditions=source', '--no-warnings', SAMPLE, path];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
    expect({ stdout, stderr }).toEqual({ stdout: '0.00 done\n', stderr: '' });

    const [peer] = service.peers;
    expect(peer!.query.get('content_type')).toContain('rate=16000;format=S16LE;channels=1');
    const streamed = decodePcm(peer!.audio, { sampleFormat: 'S16LE' }).subarray(PRE_SKIP);
    const blocks = await lastValueFrom(fromFile(path).pipe(resample(), toArray()));
    const expected = blocks.flatMap(({ samples }) => [...samples]);
    expect(streamed.length).toBeGreaterThanOrEqual(expected.length);
    expect(likeness(streamed, expected)).toBeGreaterThan(0.9999);
  },
);

/** Correlation of two signals from their start on: 1 for the same one. */
function likeness(a: ArrayLike<number>, b: readonly number[]): number {
  const product = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    b.reduce((sum, _, at) => sum + x[at]! * y[at]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
