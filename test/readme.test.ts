import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from './helpers/commandLine.ts';
import { needsProgram, needsRecognizer } from './helpers/needs.ts';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const run = promisify(execFile);

/** The code blocks of a language, with the heading that each stands under. */
function blocks(language: string): readonly { readonly heading: string; readonly code: string }[] {
  return [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(match => match[1] === language)
    .map(match => ({
      heading: [...readme.slice(0, match.index).matchAll(/^#+ (.*)$/gm)].at(-1)![1]!,
      code: match[2]!,
    }));
}

// A directory like a checkout, where commands may leave files, and where npx finds the program from source.
const directory = mkdtempSync(join(tmpdir(), 'rxscribe-readme-'));
symlinkSync(join(root, 'samples'), join(directory, 'samples'));
writeFileSync(
  join(directory, 'npx'),
  `#!/bin/sh\ntest "$1" = rxscribe && shift && exec "${process.execPath}" --conditions=source "${root}src/cli.ts" "$@"\n`,
  { mode: 0o755 },
);
afterAll(() => rmSync(directory, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function runShell(code: string): Promise<string> {
  // What it runs in the background ends with it, also when it fails half-way.
  const script = `trap 'kill $(jobs -p) || true' EXIT\n${code.replaceAll('8080', String(await freePort()))}`;
  const env = {
    ...process.env,
    PATH: `${directory}:${process.env.PATH}`,
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env,
    timeout: 280_000,
  });
  return stdout;
}

describe('the README', () => {
  test('has shell blocks and programs for the tests below', () => {
    expect(blocks('sh').map(block => block.heading)).toEqual([
      'Command line',
      'Recordings',
      'Replay testing',
      'Service',
      'Service',
      'Administration',
    ]);
    expect(blocks('ts').map(block => block.heading)).toEqual([
      'Library',
      'When the connection breaks',
      'Replay testing',
      'From a program',
      'Engines',
    ]);
  });

  test('captions as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[0]!.code);
    expect(output).toContain('"type":"transcript"');
    expect(readFileSync(join(directory, 'talk.srt'), 'utf8')).toMatch(/^1\n00:00:00,\d{3} --> /);
    expect(JSON.parse(readFileSync(join(directory, 'talk.json'), 'utf8'))).toHaveProperty('monologues');
  });

  test('transcribes recordings as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[1]!.code);
    expect(output).toContain('WEBVTT');
    expect(output).toContain('an ill disposed young man');
  });

  test('records and replays as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[2]!.code);
    expect(output).toContain('recorded talk.cassette.jsonl');
    expect(JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))).toMatchObject({
      report: 'rxscribe',
    });
    expect(readFileSync(join(directory, 'report.html'), 'utf8')).toContain('<!doctype html>');
    expect(JSON.parse(readFileSync(join(directory, 'baseline.json'), 'utf8'))).toHaveProperty('files');
  });

  test('runs the service as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    needsProgram(context, 'curl');
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[3]!.code);
    expect(output).toContain('"balance_seconds"');
    expect(output).toContain('"status":"transcribed"');
    expect(output).toMatch(/Speaker 0 {4}00:00:00 {4}\w/);
  });

  test('runs jobs as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    needsProgram(context, 'curl');
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[4]!.code);
    expect(output).toContain('"metadata":"first"');
    expect(output).toContain('WEBVTT');
    const { openapi } = JSON.parse(readFileSync(join(directory, 'openapi.json'), 'utf8'));
    expect(openapi).toMatch(/^3\.1/);
  });

  test('is administered as it says', { tags: 'tools', timeout: 300_000 }, async context => {
    needsProgram(context, 'curl');
    await needsRecognizer(context);
    const output = await runShell(blocks('sh')[5]!.code);
    expect(output).toContain('He was not an ill disposed young man.');
  });

  test.for([0, 1, 2, 3, 4])(
    'has library examples that run (%i)',
    { tags: 'tools', timeout: 180_000 },
    async (index, context) => {
      await needsRecognizer(context);
      const args = ['--conditions=source', '--input-type=module-typescript', '-e', blocks('ts')[index]!.code];
      const { stdout, stderr } = await run(process.execPath, args, { cwd: root, timeout: 160_000 });
      expect(stdout.trim().split('\n').at(-1)).toMatch(/\w+\.\s*$/);
      if (index === 0) expect(stderr).toContain('connected');
    },
  );

  test('lists the options that there are', async () => {
    const { stdout: help } = await runCommand(['caption', '--help']);
    const table = readme.slice(readme.indexOf('### Options of `caption`'), readme.indexOf('Exit codes:'));
    const flagsOf = (text: string) => [...new Set(text.match(/--[a-z][a-z-]*/g))].sort();
    expect(flagsOf(table)).toEqual(flagsOf(help).filter(flag => flag !== '--help'));
  });

  test('names only scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [...readme.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(match => match[1]!);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });
});
