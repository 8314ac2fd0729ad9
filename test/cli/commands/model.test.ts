import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cutAfter, fileServer, sha256, tagOf } from '../../engines/models/fileServer.ts';
import { onnxFile } from '../../engines/models/onnxFile.ts';
import { jsonLines, runCommand, startCommand } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { typedShell } from '../../helpers/typedShell.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const CONTENT = Buffer.from(onnxFile({}, 200_000));

let directory: string;
let config: string;
let models: string;
let catalogue: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  config = join(directory, 'config');
  vi.stubEnv('XDG_CONFIG_HOME', config);
  models = join(directory, 'models');
  catalogue = join(directory, 'catalogue.json');
  const url = 'https://nowhere.invalid/silero_vad.onnx';
  const file = { name: 'silero_vad.onnx', url, bytes: CONTENT.length, sha256: sha256(CONTENT) };
  const model = { name: 'tiny', roles: ['voiceDetector'], languages: [], licence: 'MIT', files: [file] };
  await writeFile(catalogue, JSON.stringify([model]));
});

function environment(): NodeJS.ProcessEnv {
  return { XDG_CONFIG_HOME: config, RXSCRIBE_MODELS: models, RXSCRIBE_MODEL_CATALOGUE: catalogue };
}

function model(...args: readonly string[]) {
  return runCommand(['model', ...args], { env: environment() });
}

/** A mirror that has the model. */
async function mirror(): Promise<string> {
  const { url } = await httpServer((request, response) => {
    response.writeHead(request.url === '/tiny/silero_vad.onnx' ? 200 : 404).end(CONTENT);
  });
  return url;
}

async function listed(name: string): Promise<Record<string, unknown>> {
  const { stdout } = await model('list');
  return jsonLines(stdout).find(line => line.name === name);
}

describe('a model with terms', () => {
  beforeEach(async () => {
    const [tiny] = JSON.parse(await readFile(catalogue, 'utf8'));
    const terms = 'It is free on Mondays.';
    await writeFile(catalogue, JSON.stringify([{ ...tiny, licence: 'Monday', terms }]));
  });

  test('is fetched when they are accepted by a flag, and shown in any case', async () => {
    const url = await mirror();
    const refused = await model('pull', 'tiny', '--mirror', url);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toBe(
      "tiny is under the Monday. It is free on Mondays.\nerror: The terms of 'tiny' were not accepted. To accept them, add --accept-terms.\n",
    );
    expect(await listed('tiny')).toMatchObject({ state: 'absent' });
    expect(await model('pull', 'tiny', '--mirror', url, '--accept-terms')).toMatchObject({ code: 0 });
    expect(await listed('tiny')).toMatchObject({ state: 'installed' });
  });

  test.for([
    ['y', 'installed'],
    ['', 'absent'],
    ['no', 'absent'],
  ] as const)('asks in a terminal: %s', { tags: 'tools' }, async ([answer, state], context) => {
    needsProgram(context, 'script');
    const flags = `--catalogue ${catalogue} --directory ${models} --mirror ${await mirror()}`;
    const command = `${process.execPath} --conditions=source ${CLI} model pull tiny ${flags}`;
    const shown = await typedShell(command, { keys: `${answer}\r`, cwd: directory, prompt: '[y/N] ' });
    expect(shown).toContain('It is free on Mondays.\nDo you accept these terms? [y/N] ');
    expect(await listed('tiny')).toMatchObject({ state });
  });
});

test('a model is fetched, checked, chosen, and no longer used', async () => {
  const path = join(models, 'tiny');
  expect(await listed('tiny')).toMatchObject({ state: 'absent', for: ['voice-detector'], used_for: [] });

  const pulled = await model('pull', 'tiny', '--mirror', await mirror());
  expect(pulled).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' });
  expect(await listed('tiny')).toMatchObject({ state: 'installed', directory: path, bytes: CONTENT.length });

  const verified = await model('verify');
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(verified.stdout)).toEqual({ model: 'tiny', verdict: 'right' });

  const used = await model('use', 'tiny');
  expect(JSON.parse(used.stdout)).toEqual({ for: 'voice-detector', directory: path });
  expect(await listed('tiny')).toMatchObject({ used_for: ['voice-detector'] });

  expect(await model('use', 'none')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await listed('tiny')).toMatchObject({ state: 'installed', used_for: [] });
});

test('a directory without models is reported', async () => {
  const nothing = { code: 0, stdout: '', stderr: `There is no model in '${models}'.\n` };
  expect(await model('verify')).toEqual(nothing);
});

test("a directory of one's own is used and checked without the catalogue", async () => {
  const own = join(directory, 'own');
  await mkdir(own);
  await writeFile(join(own, 'silero_vad.onnx'), onnxFile());
  expect(await model('use', own, '--for', 'voice-detector')).toMatchObject({ code: 0 });
  expect(await listed(own)).toEqual({
    name: own,
    for: ['voice-detector'],
    used_for: ['voice-detector'],
    directory: own,
  });
  const { code, stdout } = await model('verify', own);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ model: own, verdict: 'unknown' });
});

test('a damaged file is found and repaired', async () => {
  const address = await mirror();
  await model('pull', 'tiny', '--mirror', address);
  await writeFile(join(models, 'tiny', 'silero_vad.onnx'), Buffer.alloc(CONTENT.length));
  const { code, stdout } = await model('verify', 'tiny');
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    verdict: 'wrong',
    detail: `silero_vad.onnx corrupt. Run: rxscribe model pull tiny --directory ${models} --catalogue ${catalogue}`,
  });
  await model('pull', 'tiny', '--mirror', address);
  expect(await model('verify', 'tiny')).toMatchObject({ code: 0 });
});

test('an interrupted download is continued by the same command', async () => {
  const half = CONTENT.subarray(0, 100_000);
  const { url } = await httpServer((_, response) => {
    response.writeHead(200, { etag: tagOf(CONTENT), 'content-length': CONTENT.length }).write(half);
  });
  const part = join(models, 'tiny', 'silero_vad.onnx.part');
  await using command = startCommand(['model', 'pull', 'tiny', '--mirror', url], { env: environment() });
  await expect.poll(() => sizeOf(part), { timeout: 60_000 }).toBe(half.length);
  command.interrupt();
  expect(await command.done).toMatchObject({ code: 130, stderr: expect.stringContaining('to continue') });

  const { file, asked } = await fileServer([], CONTENT);
  const rest = file.url.replace('/model.onnx', '');
  expect(await model('pull', 'tiny', '--mirror', rest)).toMatchObject({ code: 0 });
  expect(asked).toEqual([{ range: `bytes=${half.length}-`, ifRange: tagOf(CONTENT) }]);
  expect(await model('verify')).toMatchObject({ code: 0 });
});

test('a cut connection is resumed within one command', async () => {
  const { file, asked } = await fileServer([cutAfter(CONTENT, 100_000)], CONTENT);
  const { code, stderr } = await model('pull', 'tiny', '--mirror', file.url.replace('/model.onnx', ''));
  expect(code).toBe(0);
  expect(stderr).toMatch(/^fetching tiny again after a broken connection.*\n$/);
  expect(asked).toHaveLength(2);
});

describe('exit codes distinguish', () => {
  test.each([
    ['an unknown model', 2, ['pull', 'nobody'], 'rxscribe model list'],
    ['an unknown model to verify', 2, ['verify', 'nobody'], 'rxscribe model list'],
    ['a mirror that is no address', 2, ['pull', 'tiny', '--mirror', 'nowhere'], 'mirror'],
    ['an unknown role', 2, ['use', 'tiny', '--for', 'cooking'], 'voice-detector'],
    ['a model that was not fetched', 4, ['use', 'tiny'], 'Run: rxscribe model pull tiny'],
    ['a missing directory', 4, ['use', '/nowhere'], 'rxscribe model list'],
  ])('%s', async (_, expected, args, advice) => {
    const { code, stdout, stderr } = await model(...args);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toContain(advice);
  });

  test('a model without the role', async () => {
    await model('pull', 'tiny', '--mirror', await mirror());
    const { code, stderr } = await model('use', 'tiny', '--for', 'recognizer');
    expect(code).toBe(2);
    expect(stderr).toContain('(silero-vad) cannot be used as recognizer (only as: voice-detector)');
  });

  test('a file that cannot be read', async () => {
    await mkdir(join(models, 'tiny'), { recursive: true });
    await symlink('silero_vad.onnx', join(models, 'tiny', 'silero_vad.onnx'));
    const { code, stdout, stderr } = await model('verify');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'wrong', detail: expect.stringContaining('ELOOP') });
  });

  test('a mirror without the model', async () => {
    const { url } = await httpServer((_, response) => response.writeHead(404).end());
    const { code, stderr } = await model('pull', 'tiny', '--mirror', url);
    expect(code).toBe(3);
    expect(stderr).toContain('answered with status 404');
  });
});

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => -1,
  );
}
