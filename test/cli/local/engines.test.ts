import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { toneModelDirectory } from '../../engines/sherpa/toneModelDirectory.ts';
import { cli, runCommand } from '../../helpers/commandLine.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { testRecognizer } from '../../helpers/needs.ts';
import { onnxModel } from '../../helpers/onnxModel.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';
import { onlineCtcModel, TOKENS, tokensText, toneSpeech } from '../../helpers/toneModels.ts';
import { wav } from '../../helpers/wavBytes.ts';

const config = join(tmpdir(), `rxscribe-config-${process.pid}-${Date.now()}`);
beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', config);
});

/** A model that hears tones as words, and two words in tones. */
let model: Awaited<ReturnType<typeof toneModelDirectory>>;
let directory: string;
let tones: string;

beforeAll(async () => {
  model = await toneModelDirectory('online-nemo-ctc', {
    model: onnxModel(onlineCtcModel()),
    tokens: tokensText(),
  });
  directory = await mkdtemp(join(tmpdir(), 'rxscribe-engines-'));
  tones = join(directory, 'tones.wav');
  await writeFile(tones, wavFile(toneSpeech(['▁al', 'pha'], ['▁be', 'ta'])));
});

afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
  await rm(config, { recursive: true, force: true });
});

/** Mono, 16 kHz. */
function wavFile(samples: Int16Array): Uint8Array {
  return wav(new Uint8Array(samples.buffer));
}

const run = (...args: readonly string[]) => runCommand(args);

describe('the engines of a command', { timeout: 120_000 }, () => {
  test('are those of the named model', { tags: 'slow' }, async () => {
    const named = await run('transcribe', tones, '--model', model.path);
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('Alpha beta') });
    const forOne = await run('transcribe', tones, '--model', `recognizer=${model.path}`);
    expect(forOne.stdout).toBe(named.stdout);
  });

  testRecognizer('are those of model use, unless another model is named', async () => {
    expect(await run('model', 'use', model.path)).toMatchObject({ code: 0 });
    const named = await run('transcribe', tones);
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('Alpha') });
    const other = await run('transcribe', tones, '--engine', 'moonshine');
    expect(other.code).toBe(0);
    expect(other.stdout).not.toBe(named.stdout);
    expect(await run('model', 'use', 'none')).toMatchObject({ code: 0 });
  });

  test('end an utterance after the given pause', async () => {
    const gap = join(directory, 'gap.wav');
    const word = toneSpeech(['▁al', 'pha']);
    await writeFile(gap, wavFile(joined(word, silence(1), word)));
    const finals = async (...flags: readonly string[]) => {
      const { stdout } = await runCommand(
        cli`caption ${gap} --json --speed max --model ${model.path} ${flags}`,
      );
      return stdout.split('\n').filter(line => line.includes('"type":"final"')).length;
    };
    expect(await finals('--pause', '0.5')).toBe(2);
    expect(await finals('--pause', '3')).toBe(1);
  });

  test.each([
    ['a directory that is not there', ['--model', 'nowhere'], 'rxscribe model list'],
    ['a model that was not fetched', ['--model', 'whisper-tiny'], 'rxscribe model pull whisper-tiny'],
    ['an engine that wants a model', ['--engine', 'sherpa-onnx'], 'rxscribe model pull NAME'],
  ])('say what to do about %s', async (_, flags, advice) => {
    const { code, stdout, stderr } = await run('transcribe', tones, ...flags);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(advice);
  });

  test('prefer a model that is named for a role', async () => {
    const other = await toneModelDirectory('online-nemo-ctc', {
      model: onnxModel(onlineCtcModel()),
      tokens: tokensText(TOKENS.map(token => token.replace('al', 'el'))),
    });
    onTestFinished(() => other[Symbol.asyncDispose]());
    for (const models of [
      [`recognizer=${model.path}`, other.path],
      [other.path, `recognizer=${model.path}`],
    ]) {
      const several = models.flatMap(each => ['--model', each]);
      for (const flags of [several, ['--model', models.join(',')]]) {
        const { stdout } = await run('caption', tones, '--speed', 'max', ...flags);
        expect(stdout).toContain('Alpha beta');
      }
    }
  });

  test('are those of a server elsewhere, with its key from a variable or a file', async () => {
    const seen: string[] = [];
    const { url } = await httpServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      request.resume().on('end', () => response.end(JSON.stringify({ text: 'Alpha, beta!' })));
    });
    const speech = join(directory, 'speech.wav');
    await writeFile(speech, wavFile(readSampleSpeech('not-ill-disposed')));
    const keyFile = join(directory, 'key');
    await writeFile(keyFile, 'key-of-the-file\n');
    const flags = ['--engine', 'openai', '--engine-url', `${url}/v1`, '--engine-languages', 'de,en'];
    const transcribe = (env: NodeJS.ProcessEnv) => runCommand(['transcribe', speech, ...flags], { env });
    for (const env of [
      { RXSCRIBE_ENGINE_KEY: 'key-of-the-variable' },
      { RXSCRIBE_ENGINE_KEY_FILE: keyFile },
    ]) {
      const text = expect.stringContaining('Alpha, beta!');
      expect(await transcribe(env)).toMatchObject({ code: 0, stdout: text });
    }
    const asked = (key: string) => `/v1/audio/transcriptions Bearer ${key}`;
    expect(seen).toEqual(expect.arrayContaining([asked('key-of-the-variable'), asked('key-of-the-file')]));
    const unreadable = await transcribe({ RXSCRIBE_ENGINE_KEY_FILE: join(directory, 'nowhere') });
    expect(unreadable).toMatchObject({ code: 3, stderr: expect.stringContaining('the key of the engine') });
  });

  test.each([
    ['a use that there is not', '--model ears=MODEL', 'Must have recognizer, '],
    ['a use that the model is not for', '--model voice-detector=MODEL', 'cannot be used as voice-detector'],
    ['two models for one use', '--model MODEL --model MODEL', 'Two models have the role recognizer'],
    ['an engine of other models', '--engine moonshine --model MODEL', '--engine moonshine cannot run'],
    ['an engine that does not exist', '--engine vosk', 'Allowed choices are moonshine, sherpa-onnx'],
    ['a server without an address', '--engine openai', '--engine openai requires --engine-url'],
    ['an address without its engine', '--engine-url http://[::1]:1', 'require --engine openai'],
    ['a server and a model', '--engine openai --engine-url http://[::1]:1 --model MODEL', 'takes no model'],
    ['an address with a key', '--engine openai --engine-url http://a:b@c', 'without user name, password'],
    ['partials that are too many', '--engine-partials 0.1', 'Must be a number of seconds from 0.2 to 30'],
    ['a pause that is too long', '--pause 6', 'Must be a number of seconds from 0.1 to 5'],
    ['a service with its own', '--pause 1 --url http://[::1]:1 --token t', 'cannot be used with --url'],
  ])('are refused with %s', async (_, flags, reason) => {
    const words = flags.split(' ').map(word => word.replace('MODEL', model.path));
    const { code, stderr } = await run('transcribe', tones, ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });
});
