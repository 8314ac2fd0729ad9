import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { JobFailedError } from '../../../src/service/jobs/task.ts';
import { LIMIT_DEFAULTS } from '../../../src/service/limits.ts';
import { createAddressGuard } from '../../../src/service/outbound/addressGuard.ts';
import { transcriptionTask } from '../../../src/service/tasks/transcription.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { noFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { runTask, type TaskRunOptions, taskOptions } from '../../helpers/taskRun.ts';
import { inverseStereo, wav } from '../../helpers/wavBytes.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));
const LEVELS = [4, 7, 0, 0, 0, 9];
const WORDS = ['W4', 'w7', 'W9'];

const speechFile = (levels: readonly number[] = LEVELS) => wav(new Uint8Array(scriptedSpeech(levels).buffer));

/** Returns the failure of a run of the transcription task. */
async function failureOf(run: TaskRunOptions, options = taskOptions()): Promise<Record<string, unknown>> {
  const { result } = await runTask(transcriptionTask(options), run);
  const error = await result.catch(error => error);
  expect(options.recognizer.openSessions).toBe(0);
  return { failure: error.failure, detail: error.message, isForUser: error instanceof JobFailedError };
}

/** Hides all programs until the end of the test. */
function hidePrograms(): void {
  const path = process.env.PATH;
  process.env.PATH = '';
  onTestFinished(() => {
    process.env.PATH = path;
  });
}

describe('media is read', () => {
  test('as a WAV file without any program', async () => {
    hidePrograms();
    const run = await runTask(transcriptionTask(taskOptions()), { media: speechFile() });
    expect(await run.words()).toEqual(WORDS);
    expect((await run.result).durationSeconds).toBe(0.6);
  });

  test.for([
    ['flac', []],
    ['aiff', []],
    ['mka', ['-c:a', 'flac']],
    ['mov', ['-c:a', 'pcm_s16le']],
    ['mkv', ['-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-c:v', 'mpeg4', '-c:a', 'flac']],
    ['wav', ['-filter:a', 'pan=stereo|c0=c0|c1=c0', '-ar', '48000', '-c:a', 'pcm_f32le']],
    ['w64', []],
  ] as const)('as %s', { tags: 'tools' }, async ([ending, args], context) => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'speech'), speechFile());
    const media = join(directory, `media.${ending}`);
    runFfmpeg('-i', join(directory, 'speech'), ...args, media);
    const run = await runTask(transcriptionTask(taskOptions()), { media });
    expect(await run.words()).toEqual(WORDS);
    expect((await run.result).durationSeconds).toBe(0.6);
  });

  test('up to the end of a truncated WAV file', async () => {
    const run = await runTask(transcriptionTask(taskOptions()), {
      media: speechFile().subarray(0, 44 + 2 * 3200 + 1),
    });
    expect(await run.words()).toEqual(['W4', 'w7']);
    expect((await run.result).durationSeconds).toBe(0.2);
  });

  test.for(['flac', 'aac'])(
    'as far as it goes when %s is cut',
    { tags: 'tools' },
    async (ending, context) => {
      if (noFfmpeg) context.skip(noFfmpeg);
      const whole = join(await temporaryDirectory(), `media.${ending}`);
      runFfmpeg('-stream_loop', '9', '-i', SAMPLE, whole);
      const bytes = await readFile(whole);
      const run = await runTask(transcriptionTask(taskOptions()), {
        media: bytes.subarray(0, bytes.length / 2),
      });
      const { durationSeconds } = await run.result;
      expect(durationSeconds).toBeGreaterThan(14);
      expect(durationSeconds).toBeLessThan(16);
    },
  );
});

describe('media with a fault has a warning', () => {
  test('for bytes that were not read', async () => {
    const media = Buffer.concat([speechFile(), Buffer.from('something else')]);
    const run = await runTask(transcriptionTask(taskOptions()), { media });
    expect(await run.words()).toEqual(WORDS);
    expect((await run.result).findings).toEqual({
      warnings: ['The WAV audio is followed by 14 bytes that could not be read.'],
    });
  });

  test('for inverse channels, and has the words of one of them', async () => {
    const media = wav(inverseStereo(scriptedSpeech([...LEVELS, 0, 0, 0, 9])), { channels: 2 });
    const run = await runTask(transcriptionTask(taskOptions()), { media });
    expect((await run.words()).slice(1)).toEqual(['w7', 'W9', 'W9']);
    const { findings } = await run.result;
    expect(findings).toEqual({ warnings: [expect.stringMatching(/^Channels of the audio are inverse/)] });
  });

  test('that ffmpeg gave, without the path of the file', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const whole = join(await temporaryDirectory(), 'media.aac');
    runFfmpeg('-stream_loop', '9', '-i', SAMPLE, whole);
    const media = await readFile(whole);
    media.fill(0x55, 30_000, 31_000);
    const { warnings } = (await (await runTask(transcriptionTask(taskOptions()), { media })).result)
      .findings!;
    expect(warnings).toEqual([expect.stringMatching(/^The audio is damaged: /)]);
    expect(String(warnings)).not.toContain(tmpdir());
  });
});

describe('unsuitable media fails the job', () => {
  test.for([
    ['of no bytes', new Uint8Array(0), 'empty_media'],
    ['without samples', wav(new Uint8Array(0)), 'empty_media'],
    ['that is text', Buffer.from('It is a truth universally acknowledged. '.repeat(200)), 'invalid_media'],
    ['that is zeros', new Uint8Array(50_000), 'invalid_media'],
    ['with a damaged header', wav(new Uint8Array(100), { channels: 0 }), 'invalid_media'],
    ['that ends in its header', speechFile().subarray(0, 30), 'invalid_media'],
    ['with a rate that no recording has', wav(new Uint8Array(10_000), { rate: 700_000 }), 'invalid_media'],
    ['that is less than a word', wav(new Uint8Array(3198)), 'duration_too_short'],
  ] as const)('%s', { tags: 'tools' }, async ([, media, failure], context) => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const error = await failureOf({ media });
    expect(error).toMatchObject({ failure, isForUser: true });
    expect(error.detail).toMatch(/^The media /);
    // Messages of decoders contain paths.
    expect(error.detail).not.toMatch(/[/:]/);
  });

  test('without sound', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const media = join(await temporaryDirectory(), 'mute.mp4');
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-c:v', 'mpeg4', media);
    expect(await failureOf({ media })).toMatchObject({ failure: 'invalid_media' });
  });

  test('that is text by saying so, without any program', async () => {
    hidePrograms();
    expect(await failureOf({ media: Buffer.from('It is a truth universally acknowledged. ') })).toMatchObject(
      {
        failure: 'invalid_media',
        detail: 'The media is not audio, it looks like text.',
      },
    );
  });

  test('where ffmpeg is missing, with advice', async () => {
    hidePrograms();
    expect(await failureOf({ media: Buffer.from('....ftypM4A , or so it says') })).toMatchObject({
      failure: 'internal_processing',
      detail: expect.stringMatching(/ffmpeg is missing.*rxscribe doctor --fix/),
    });
  });

  test('a missing file is a fault of the service', async () => {
    const { result } = await runTask(transcriptionTask(taskOptions()), { media: '/nowhere/media' });
    await expect(result).rejects.not.toBeInstanceOf(JobFailedError);
  });
});

describe('media that is too long', () => {
  const limits = { ...LIMIT_DEFAULTS.jobs, maxMediaSeconds: 2 };

  test('is refused by its stated length, before recognition', async () => {
    const options = taskOptions({ limits });
    const media = speechFile(new Array(21).fill(3));
    expect(await failureOf({ media }, options)).toMatchObject({
      failure: 'duration_exceeded',
      detail: 'The media is longer than 2 seconds.',
    });
    expect(options.recognizer.opened).toEqual([]);
  });

  test('is refused while decoding when it states no length', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const media = join(await temporaryDirectory(), 'bare.aac');
    runFfmpeg('-i', SAMPLE, media);
    const options = taskOptions({ limits });
    expect(await failureOf({ media }, options)).toMatchObject({ failure: 'duration_exceeded' });
    expect(options.recognizer.opened.length).toBe(1);
  });
});

describe('credit is held', () => {
  test('for all of the media before recognition', async () => {
    const options = taskOptions();
    const run = await runTask(transcriptionTask(options), {
      media: speechFile(),
      reserve: async () => expect(options.recognizer.opened).toEqual([]),
    });
    await run.result;
    expect(run.reserved).toEqual([0.6]);
  });

  test('in steps, and then for the rest, for media without a stated length', {
    tags: 'tools',
  }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const media = join(await temporaryDirectory(), 'bare.aac');
    runFfmpeg('-stream_loop', '9', '-i', SAMPLE, media);
    const run = await runTask(transcriptionTask(taskOptions()), { media });
    const { durationSeconds } = await run.result;
    expect(durationSeconds).toBeCloseTo(29.9, 0);
    expect(run.reserved.length).toBe(3);
    expect(run.reserved[0]).toBeGreaterThan(9.9);
    expect(run.reserved[0]).toBeLessThan(12);
    expect(run.reserved.at(-1)).toBeCloseTo(durationSeconds!, 1);
  });

  test('a job without enough credit fails', async () => {
    const options = taskOptions();
    const reserve = async () => {
      throw new JobFailedError('insufficient_balance', 'too little');
    };
    expect(await failureOf({ media: speechFile(), reserve }, options)).toMatchObject({
      failure: 'insufficient_balance',
    });
    expect(options.recognizer.opened).toEqual([]);
  });
});

describe('media with an address', () => {
  test('is downloaded with its authorization, and kept under its name', async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await httpServer((request, response) => {
      asked.push(request.headers.authorization);
      response.setHeader('content-disposition', 'attachment; filename="talk.wav"');
      response.end(speechFile());
    });
    const run = await runTask(transcriptionTask(taskOptions()), {
      input: { source: { url: `${url}/a/b?token=secret`, authorization: 'Bearer x' } },
    });
    expect(await run.words()).toEqual(WORDS);
    expect(asked).toEqual(['Bearer x']);
    expect(run.kept.map(({ name }) => name)).toEqual(['talk.wav']);
  });

  test('is not downloaded again by the next run, when no recogniser was free', async () => {
    let downloads = 0;
    const { url } = await httpServer((_, response) => {
      downloads += 1;
      response.end(speechFile());
    });
    const recognizer = createScriptedRecognizer({ maxSessions: 1 });
    const task = transcriptionTask(taskOptions({ recognizer }));
    const stream = await recognizer.open();
    const input = { source: { url: `${url}/talk.wav` } };
    const first = await runTask(task, { input });
    await expect(first.result).rejects.toMatchObject({ code: 'unavailable' });
    await stream.close();
    const second = await runTask(task, { input, media: first.kept[0]!.path });
    expect(await second.words()).toEqual(WORDS);
    expect(downloads).toBe(1);
  });

  test.for([
    ['that is missing', '/missing', {}, 'the server answered with status 404'],
    ['that is private', '/', { guard: createAddressGuard() }, 'its address is not public'],
    [
      'with too many bytes',
      '/',
      { limits: { ...LIMIT_DEFAULTS.jobs, mediaBytes: 1000 } },
      'it has more than 1000 bytes',
    ],
  ] as const)('%s fails the job', async ([, path, options, why]) => {
    const { url } = await httpServer((request, response) => {
      response.statusCode = request.url?.startsWith('/missing') ? 404 : 200;
      response.end(speechFile());
    });
    const source = { url: `${url}${path}?token=secret` };
    expect(await failureOf({ input: { source } }, taskOptions(options))).toEqual({
      failure: 'download_failure',
      detail: `The media could not be downloaded: ${why}.`,
      isForUser: true,
    });
  });

  test('is aborted when the service stops, which is no failure', async () => {
    const controller = new AbortController();
    const { url } = await httpServer(() => controller.abort(new Error('the service stops')));
    const { result } = await runTask(transcriptionTask(taskOptions()), {
      input: { source: { url } },
      signal: controller.signal,
    });
    await expect(result).rejects.toThrow('the service stops');
  });
});

test('a job aborted during recognition leaves no open session', async () => {
  const controller = new AbortController();
  const recognizer = createScriptedRecognizer({
    async beforeWrite() {
      await setImmediate();
      controller.abort(new RxscribeError('aborted', 'the service stops'));
    },
  });
  const { result } = await runTask(transcriptionTask(taskOptions({ recognizer })), {
    media: speechFile(new Array(500).fill(3)),
    signal: controller.signal,
  });
  await expect(result).rejects.toThrow('the service stops');
  expect(recognizer.openSessions).toBe(0);
});
