import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, tap } from 'rxjs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodePcm } from '../../../src/audio/pcm/pcm.ts';
import { warmDecoder } from '../../../src/audio/source/decode.ts';
import { fileBlocks, fromFile } from '../../../src/audio/source/file.ts';
import { createGate } from '../../../src/flow/gate.ts';
import { childrenWith, hidePrograms, installScript, isGone } from '../../helpers/childProcesses.ts';
import { eventually } from '../../helpers/eventually.ts';
import { needsFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { readAudio, warningList } from '../../helpers/readAudio.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SAMPLE = join(import.meta.dirname, '../../../samples/sense-and-sensibility.wav');
const FRAMES = 443_680;

beforeEach(needsFfmpeg);

let directory: string;
let original: Float32Array;
const inside = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audio-file-'));
  const bytes = await readFile(SAMPLE);
  original = Float32Array.from({ length: FRAMES }, (_, i) => bytes.readInt16LE(44 + 2 * i) / 32_768);
});
afterAll(() => rm(directory, { recursive: true }));

/** Whether this process has the file open. */
async function isOpen(path: string): Promise<boolean> {
  const links = (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).includes(path);
}

describe('a WAV file', () => {
  test('is read without any program', async () => {
    await using _ = await hidePrograms();
    const { samples, ...reading } = await readAudio(fromFile(SAMPLE));
    expect(reading).toEqual({ sampleRate: 16_000, channels: 1, frames: FRAMES });
    expect(samples).toEqual(original);
  });

  test('is known by its bytes, not by its name, and can be read twice', async () => {
    const path = inside('song.mp3');
    await writeFile(path, wav(encodePcm(original.subarray(0, 100), 'S16LE')));
    const source = fromFile(path);
    expect((await readAudio(source)).samples).toEqual(original.subarray(0, 100));
    expect((await readAudio(source)).samples).toEqual(original.subarray(0, 100));
  });

  test('cut short is read as far as it goes, with a warning', async () => {
    const path = inside('short.wav');
    await writeFile(path, (await readFile(SAMPLE)).subarray(0, 100_001));
    const { codes, onWarning } = warningList();
    const { samples } = await readAudio(fromFile(path, { onWarning }));
    expect(samples).toEqual(original.subarray(0, (100_000 - 44) / 2));
    expect(codes).toEqual(['audio-truncated']);
  });

  test('waits at a closed gate, and is closed when nobody wants more', async () => {
    const gate = createGate();
    let release = () => {};
    let frames = 0;
    const subscription = fromFile(SAMPLE, { gate }).subscribe(block => {
      frames += block.samples.length;
      release = gate.hold();
    });
    await eventually(() => expect(frames).toBeGreaterThan(0));
    const first = frames;
    expect(first).toBeLessThanOrEqual(16_384);
    release();
    await eventually(() => expect(frames).toBeGreaterThan(first));
    expect(frames).toBeLessThanOrEqual(2 * 16_384);
    expect(await isOpen(SAMPLE)).toBe(true);
    subscription.unsubscribe();
    await eventually(async () => expect(await isOpen(SAMPLE)).toBe(false));
  });
});

describe('the error of a file that cannot be read', () => {
  test.each([
    ['no such file', 'audio-missing', 'nonesuch.wav', undefined],
    ['a directory', 'audio-missing', '.', undefined],
    ['a name that cannot be', 'audio-missing', 'a\0b', undefined],
    ['an empty file', 'audio-empty', 'empty', ''],
    ['a WAV header without samples', 'audio-empty', 'header.wav', wav(new Uint8Array(0))],
    ['a damaged WAV header', 'audio-corrupt', 'bad.wav', wav(new Uint8Array(2), { channels: 0 })],
    [
      'a WAV file that ends in its header',
      'audio-corrupt',
      'cut.wav',
      wav(new Uint8Array(2)).subarray(0, 40),
    ],
  ] as const)('names %s', async (_name, code, name, content) => {
    if (content !== undefined) await writeFile(inside(name), content);
    await expect(readAudio(fromFile(inside(name)))).rejects.toMatchObject({ name: 'RxscribeError', code });
  });

  test('names the format and the program where ffmpeg is missing', async () => {
    await writeFile(inside('some.m4a'), '....ftypM4A and more');
    await using _ = await hidePrograms();
    await expect(readAudio(fromFile(inside('some.m4a')))).rejects.toMatchObject({
      code: 'program-missing',
      message: expect.stringMatching(/it is MP4.*`rxscribe doctor --fix`.*convert the audio to .*FLAC/),
    });
  });

  test.for([
    ['text', Buffer.from('It is a truth universally acknowledged. '.repeat(200))],
    ['noise', Uint8Array.from({ length: 50_000 }, (_, i) => (i * i * 7919) >> 3)],
    ['zeros', new Uint8Array(50_000)],
    ['two bytes', Buffer.from('ab')],
    [
      'a playlist',
      Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${SAMPLE}\n#EXT-X-ENDLIST\n`),
    ],
    ['a list of files', Buffer.from('ffconcat version 1.0\nfile plain.wav\n')],
  ] as const)('says that %s is not audio', { tags: 'tools' }, async ([name, content]) => {
    await writeFile(inside('plain.wav'), wav(encodePcm(original.subarray(0, 1000), 'S16LE')));
    await writeFile(inside(name), content);
    await expect(readAudio(fromFile(inside(name)))).rejects.toMatchObject({ code: 'audio-unsupported' });
  });

  test('says that a video has no sound', { tags: 'tools' }, async () => {
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-c:v', 'mpeg4', inside('mute.mp4'));
    await expect(readAudio(fromFile(inside('mute.mp4')))).rejects.toMatchObject({
      code: 'audio-unsupported',
      message: 'Cannot decode audio: the media has no audio track.',
    });
  });
});

describe('other audio is decoded at its own rate and channels', () => {
  test.for([
    ['talk.m4a', ['-c:a', 'aac', '-ar', '44100', '-ac', '2'], 44_100, 2],
    ['six.flac', ['-ac', '6'], 16_000, 6],
    ['adpcm.wav', ['-c:a', 'adpcm_ms'], 16_000, 1],
  ] as const)('%s', { tags: 'tools' }, async ([name, args, sampleRate, channels]) => {
    runFfmpeg('-t', '3', '-i', SAMPLE, ...args, inside(name));
    const reading = await readAudio(fromFile(inside(name)));
    expect(reading).toMatchObject({ sampleRate, channels });
    // Encoders pad the end, by less than a fifth of a second.
    expect(reading.frames / sampleRate).toBeGreaterThanOrEqual(2.99);
    expect(reading.frames / sampleRate).toBeLessThan(3.2);
  });

  test.for([
    '-y.mp3',
    'concat:a|b.mp3',
    'http:x.mp3',
    '100%.mp3',
    'talk.jpg',
    'list.m3u8',
    "a 'b'\n.mp3",
    'größe.mp3',
  ])('the format of a file named %j is found in its bytes', { tags: 'tools' }, async name => {
    await mkdir(inside('names'), { recursive: true });
    runFfmpeg('-t', '0.5', '-i', SAMPLE, '-f', 'flac', inside('half.flac'));
    await writeFile(inside(`names/${name}`), await readFile(inside('half.flac')));
    const before = process.cwd();
    process.chdir(inside('names'));
    const reading = readAudio(fromFile(name));
    await reading.finally(() => process.chdir(before));
    expect((await reading).samples).toEqual(original.subarray(0, 8000));
  });

  test('damage in the middle is an error after the intact audio', { tags: 'tools' }, async () => {
    runFfmpeg('-i', SAMPLE, inside('whole.aac'));
    const bytes = await readFile(inside('whole.aac'));
    bytes.fill(0x55, 80_000, 81_000);
    await writeFile(inside('damaged.aac'), bytes);
    let frames = 0;
    const counted = fromFile(inside('damaged.aac')).pipe(
      tap(block => {
        frames += block.samples.length;
      }),
    );
    const error = await lastValueFrom(counted).catch(error => error);
    expect(error).toMatchObject({
      code: 'audio-corrupt',
      message: expect.stringContaining(`after frame ${frames}`),
    });
    expect(frames).toBeGreaterThan(100_000);
  });

  test.for([
    ['aac', 'in the middle', (bytes: Buffer) => bytes.fill(0x55, 40_000, 41_000), 0.9],
    ['aac', 'that is a missing end', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2), 0.45],
  ] as const)(
    'a tolerant reader reads %s with damage %s as far as it can',
    { tags: 'tools' },
    async given => {
      const [ending, , damage, share] = given;
      runFfmpeg('-i', SAMPLE, inside(`whole.${ending}`));
      await writeFile(inside(`damaged.${ending}`), damage(await readFile(inside(`whole.${ending}`))));
      const path = inside(`damaged.${ending}`);
      await expect(readAudio(fromFile(path))).rejects.toMatchObject({ code: 'audio-corrupt' });
      let frames = 0;
      const options = { signal: new AbortController().signal, onWarning: () => {}, tolerant: true };
      for await (const { samples } of fileBlocks(path, options)) frames += samples.length;
      expect(frames).toBeGreaterThan(share * FRAMES);
    },
  );

  test('damage that ffmpeg passes over is a warning', { tags: 'tools' }, async () => {
    runFfmpeg('-i', SAMPLE, '-c:a', 'libspeex', inside('whole.ogg'));
    const bytes = await readFile(inside('whole.ogg'));
    bytes.fill(0x55, 20_000, 21_500);
    await writeFile(inside('damaged.ogg'), bytes);
    const { codes, onWarning } = warningList();
    expect((await readAudio(fromFile(inside('damaged.ogg'), { onWarning }))).frames).toBeLessThan(FRAMES);
    expect(codes).toEqual(['audio-damaged']);
  });
});

describe('the ffmpeg process is supervised', () => {
  const MP4 = '....ftypM4A , or so it says';

  test('ffmpeg ends with the subscription, also at a closed gate', { tags: 'tools' }, async () => {
    runFfmpeg('-stream_loop', '10', '-i', SAMPLE, '-c:a', 'alac', inside('long.m4a'));
    const gate = createGate();
    const subscription = fromFile(inside('long.m4a'), { gate }).subscribe(() => gate.hold());
    await eventually(() => expect(gate.isOpen).toBe(false));
    const [pid] = childrenWith('long.m4a');
    expect(pid).toBeDefined();
    subscription.unsubscribe();
    await eventually(() => expect(isGone(pid!)).toBe(true));
    expect(await isOpen(inside('long.m4a'))).toBe(false);
  });

  test.for([
    ['is killed', 'kill -9 $$', 'program-failed', /SIGKILL/],
    ['fails without a message', 'exit 7', 'audio-corrupt', /the mp4 data is damaged\.$/],
    ['gives nothing', 'exit 0', 'audio-empty', /no samples/],
    [
      'prints much',
      'head -c 1000000 /dev/zero >&2; echo last words >&2; exit 1',
      'audio-corrupt',
      /last words\)\.$/,
    ],
  ] as const)('an ffmpeg that %s is an error', { tags: 'tools' }, async ([_name, script, code, message]) => {
    await writeFile(inside('any.m4a'), MP4);
    // The launcher asks once for the version; the script must not fail there.
    await using _ = await installScript('ffmpeg', `[ "$1" = -h ] && exit 0; ${script}`);
    await expect(lastValueFrom(fromFile(inside('any.m4a')))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('an ffmpeg that cannot be started is an error', async () => {
    await writeFile(inside('any.m4a'), MP4);
    await using _ = await installScript('ffmpeg', '#!/nonexistent/shell', { alone: true });
    await expect(lastValueFrom(fromFile(inside('any.m4a')))).rejects.toMatchObject({
      code: 'program-failed',
    });
  });

  test('a missing or broken ffmpeg does not keep a server from warming up', async () => {
    await using _missing = await hidePrograms();
    await expect(warmDecoder()).resolves.toBeUndefined();
    await using _broken = await installScript('ffmpeg', '#!/nonexistent/shell', { alone: true });
    await expect(warmDecoder()).resolves.toBeUndefined();
  });

  test('an ffmpeg that hangs is killed by unsubscribing', async () => {
    await writeFile(inside('any.m4a'), MP4);
    await using _ = await installScript('ffmpeg', '[ "$1" = -h ] && exit 0; while true; do sleep 0.1; done');
    const subscription = fromFile(inside('any.m4a')).subscribe();
    await eventually(() => expect(childrenWith('any.m4a')).toHaveLength(1));
    const [pid] = childrenWith('any.m4a');
    subscription.unsubscribe();
    await eventually(() => expect(isGone(pid!)).toBe(true));
  });
});

describe('a named pipe', () => {
  test.for(['sample.wav', 'sample.flac'])(
    'is read like the file %s',
    { tags: 'tools' },
    async (name, context) => {
      if (spawnSync('mkfifo', [inside(`${name}.pipe`)]).status !== 0) context.skip('needs mkfifo');
      runFfmpeg('-t', '2', '-i', SAMPLE, inside(name));
      const writer = spawn('sh', ['-c', 'cat "$0" > "$0.pipe"', inside(name)]);
      const { samples } = await readAudio(fromFile(inside(`${name}.pipe`)));
      expect(samples).toEqual(original.subarray(0, 32_000));
      if (writer.exitCode === null) await once(writer, 'exit');
    },
  );
});
