import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { createMoonshineRecognizer } from '../src/engines/moonshine/recognizer.ts';
import { createService } from '../src/service/app.ts';
import { needs, needsProgram, needsRecognizer } from './helpers/needs.ts';
import { readSampleSpeech } from './helpers/sampleSpeech.ts';
import { createVirtualMicrophone, noVirtualMicrophone } from './helpers/virtualMicrophone.ts';

const TOKEN = 'token-of-the-readme-test';
const ROOT = new URL('..', import.meta.url).pathname;
const run = promisify(execFile);

/** The output that the blocks of a document must have, in order. */
interface Expected {
  /** Shell blocks. */
  readonly sh: readonly RegExp[];
  /** Programs. */
  readonly ts: readonly RegExp[];
}

const SAMPLE = 'samples/not-ill-disposed.wav';
const SAMPLE_WORDS = /not an ill.*sposed young man\.\s*$/;

const EXPECTED: Readonly<Record<string, Expected>> = {
  'README.md': {
    sh: [
      /"type":"transcript"/,
      /WEBVTT[\s\S]*\ben\b/,
      /Recorded 'talk\.cassette\.jsonl'/,
      /ill.*sposed young man[\s\S]*"status":"transcribed"/,
    ],
    ts: [/an ill-disposed young man\.\n[\s\S]*amiable himself\.\s*$/, /young man/],
  },
  'src/captions/README.md': { sh: [/"type":"transcript"/], ts: [/WEBVTT[\s\S]*Good morning\./] },
  'src/client/README.md': { sh: [], ts: [/amiable himself[\s\S]*young man/, SAMPLE_WORDS, SAMPLE_WORDS] },
  'src/replay/README.md': {
    sh: [/Recorded 'talk\.cassette\.jsonl'/],
    ts: [/young man/],
  },
  'src/service/README.md': {
    sh: [
      /"balance_seconds"[\s\S]*"status":"transcribed"[\s\S]*Speaker 0 {4}00:00:00 {4}\w/,
      /"metadata":"first"[\s\S]*WEBVTT/,
      /"token":"\w{43}","expires_on":"/,
      /"task":"transcribe"[\s\S]*"avg_logprob"/,
      /He was not an ill disposed young man\./,
      /rxscribe_streams\{state="running"[^}]*\} 0$/m,
    ],
    ts: [],
  },
  'test/generate/packages/rxscribe/README.md': { sh: [], ts: [SAMPLE_WORDS] },
  'test/generate/packages/server/README.md': { sh: [], ts: [/^http:\/\/127\.0\.0\.1:\d+\s*$/] },
  'src/engines/README.md': { sh: [], ts: [/that is 0\.\d+: positive\.\s*$/, /^$/] },
};

/** Files that the shell blocks of a document leave, with a part of their text. */
const LEFT_FILES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'README.md': { 'talk.srt': /^1\n00:00:00,\d{3} --> /, 'talk.json': /"monologues"/ },
  'src/replay/README.md': {
    'report.json': /"report": ?"rxscribe"/,
    'report.html': /<!doctype html>/,
    'baseline.json': /"files"/,
  },
  'src/service/README.md': { 'openapi.json': /"openapi": ?"3\.1/ },
};

function blocksOf(document: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(match => match[1] === language)
    .map(match => match[2]!);
}

const temporary = mkdtempSync(join(tmpdir(), 'rxscribe-readme-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** A directory with the programs of the PATH but ffmpeg, which no block needs. */
const bare = join(temporary, 'bin');
mkdirSync(bare);
const directories = process.env.PATH!.split(delimiter).filter(existsSync);
const programs = new Map(
  // The first directory of a program wins.
  directories.toReversed().flatMap(path => readdirSync(path).map(name => [name, join(path, name)])),
);
for (const [name, path] of programs) if (!/^ff(mpeg|probe)$/.test(name)) symlinkSync(path, join(bare, name));

/** Returns a directory like a checkout, where commands may leave files, and where npx finds the program from source. */
function checkoutOf(document: string): string {
  const directory = join(temporary, document.replaceAll('/', '-'));
  mkdirSync(directory);
  symlinkSync(join(ROOT, 'samples'), join(directory, 'samples'));
  writeFileSync(
    join(directory, 'npx'),
    `#!/bin/sh\ntest "$1" = rxscribe && shift && exec "${process.execPath}" --conditions=source "${ROOT}src/cli.ts" "$@"\n`,
    { mode: 0o755 },
  );
  return directory;
}

async function runShell(code: string, directory: string): Promise<string> {
  // The service takes a free port, and the commands after it use that one.
  const withPort = code
    .replace(
      /^(npx rxscribe serve) --port 8080 (.*) &$/m,
      '$1 --port 0 $2 > served &\nuntil grep -q listening served; do sleep 0.1; done\nport=$(sed "s/.*://" served)',
    )
    .replaceAll('127.0.0.1:8080', '127.0.0.1:$port');
  // Background processes end with the script, also when it fails half-way.
  // The output of a service that ran before must not be taken for that of this one.
  const script = `rm -f served\ntrap 'kill $(jobs -p) || true' EXIT\n${withPort}`;
  const env = { ...process.env, PATH: `${directory}${delimiter}${bare}` };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env,
    timeout: 280_000,
  });
  return stdout;
}

/** Runs a program until its output matches, or to its end. */
async function runProgram(code: string, expected: RegExp, env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['--conditions=source', '--input-type=module-typescript', '-e', code];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: bare, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const data of child.stdout.setEncoding('utf8')) {
    output += data;
    // A microphone does not end.
    if (env.RXSCRIBE_URL && expected.test(output)) child.kill();
  }
  return output;
}

describe.each(Object.entries(EXPECTED))('%s', (document, { sh, ts }) => {
  const directory = checkoutOf(document);

  test('has the blocks that are run here', () => {
    expect(blocksOf(document, 'sh')).toHaveLength(sh.length);
    expect(blocksOf(document, 'ts')).toHaveLength(ts.length);
  });

  test.for(sh.map((expected, index) => ({ index, expected })))(
    'has shell commands that work ($index)',
    { tags: 'tools', timeout: 300_000 },
    async ({ index, expected }, context) => {
      const code = blocksOf(document, 'sh')[index]!;
      if (/\bcurl\b/.test(code)) needsProgram(context, 'curl');
      await needsRecognizer(context);
      expect(await runShell(code, directory)).toMatch(expected);
    },
  );

  const left = Object.entries(LEFT_FILES[document] ?? {});
  test.for(left)('leaves %s', { tags: 'tools' }, async ([name, part], context) => {
    await needsRecognizer(context);
    expect(readFileSync(join(directory, name), 'utf8')).toMatch(part);
  });

  test.for(ts.map((expected, index) => ({ index, expected })))(
    'has programs that run ($index)',
    { tags: 'tools', timeout: 180_000 },
    async ({ index, expected }, context) => {
      await needsRecognizer(context);
      const code = blocksOf(document, 'ts')[index]!.replace("'talk.wav'", `'${SAMPLE}'`);
      if (!code.includes('RXSCRIBE_URL'))
        return expect(await runProgram(code, expected, {})).toMatch(expected);
      const hasMicrophone = code.includes('microphone()');
      if (hasMicrophone) needs(context, noVirtualMicrophone);
      await using recognizer = createMoonshineRecognizer();
      await using service = await createService({ port: 0, recognizer, token: TOKEN });
      await service.ready;
      await using _microphone = hasMicrophone
        ? await createVirtualMicrophone(readSampleSpeech('not-ill-disposed'))
        : undefined;
      const env = { RXSCRIBE_URL: service.url, RXSCRIBE_TOKEN: TOKEN };
      expect(await runProgram(code, expected, env)).toMatch(expected);
    },
  );
});
