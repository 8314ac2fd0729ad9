import { expect, test } from 'vitest';
import { decodePcm } from '../../src/audio/pcm/pcm.ts';
import { fromFile, resample } from '../../src/index.ts';
import { startProgram } from '../helpers/commandLine.ts';
import { likeness, readAudio } from '../helpers/readAudio.ts';
import { startStreamService } from '../helpers/streamService.ts';

const SAMPLE = new URL('../../samples/opus-stream.ts', import.meta.url).pathname;

/** Frames at 16 kHz that an encoder puts before the audio, which a file leaves out: 312 at 48 kHz. */
const PRE_SKIP = 104;

test.each(['opusenc-mono.opus', 'ffmpeg-stereo.opus'])(
  'the audio of the packets of %s is streamed',
  async name => {
    await using service = await startStreamService();
    const path = new URL(`../fixtures/audio/${name}`, import.meta.url).pathname;
    const env = { RXSCRIBE_URL: service.url, RXSCRIBE_TOKEN: 'token' };
    const command = [process.execPath, '--conditions=source', '--no-warnings', SAMPLE, path] as const;
    expect(await startProgram(command, { env }).done).toEqual({ code: 0, stdout: '0.00 done\n', stderr: '' });

    const [peer] = service.peers;
    expect(peer!.query.get('content_type')).toContain('rate=16000;format=S16LE;channels=1');
    const streamed = decodePcm(peer!.audio, { sampleFormat: 'S16LE' }).subarray(PRE_SKIP);
    const { samples: expected } = await readAudio(fromFile(path).pipe(resample()));
    expect(streamed.length).toBeGreaterThanOrEqual(expected.length);
    expect(likeness(streamed, expected)).toBeGreaterThan(0.9999);
  },
);
