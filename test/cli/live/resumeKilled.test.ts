// @module-tag slow

import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { readSpool } from '../../../src/client/spool/openSpool.ts';
import { jsonLines, type RunResult, runCommand, startProcess } from '../../helpers/commandLine.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { keptService, speechFile } from '../../helpers/keptService.ts';
import { SCRIPTED_WINDOW_FRAMES } from '../../helpers/scriptedRecognizer.ts';
import { TEST_TOKEN } from '../../helpers/testService.ts';

/** 40 s of words, each another one, with a pause after every six. */
const LEVELS = Array.from({ length: 400 }, (_, window) => (window % 9 < 6 ? window + 1 : 0));
const service = keptService({ limits: { account: { requestsPerSecond: 1000, requestBurst: 1000 } } });
const environment = () => ({ RXSCRIBE_URL: service().url, RXSCRIBE_TOKEN: TEST_TOKEN });

/** Runs a command until it prints a line for which that is so, and ends it by `kill -9`. */
async function killedAt(
  isMoment: (line: string, index: number) => boolean,
  args: readonly string[],
): Promise<void> {
  const running = startProcess(args, { env: environment() });
  let index = 0;
  createInterface(running.process.stdout!).on('line', line => {
    if (isMoment(line, index++)) running.process.kill('SIGKILL');
  });
  const { code, stderr } = await running.done;
  if (code !== null)
    throw new Error(`wanted a process to kill, found one that ended with ${code}: ${stderr}`);
}

/** Captions the words ten times as fast as they are spoken, until it is killed behind some lines; gives its spool. */
async function killedCaption(lines: number): Promise<string> {
  const directory = await temporaryDirectory();
  const [audio, spool] = [join(directory, 'talk.wav'), join(directory, 'talk.spool')];
  await writeFile(audio, speechFile(LEVELS));
  const how = ['--json', '--speed', '10', '--skip-postprocessing', '--fallback', 'async'];
  const args = ['caption', audio, ...how, '--spool', spool, '--url', service().url];
  await killedAt((_, index) => index === lines, args);
  return spool;
}

const resume = (spool: string) => ['resume', spool, '--json'];

/** Returns the words, with their times, of the audio that the killed process had taken. */
async function wordsTaken(spool: string) {
  const copy = `${spool}.copy`;
  await cp(spool, copy, { recursive: true });
  const left = readSpool(copy);
  left.finish();
  const windows = (left.audio.at(-1)?.endFrame ?? 0) / SCRIPTED_WINDOW_FRAMES;
  return LEVELS.slice(0, windows).flatMap((level, at) =>
    level ? [{ value: `w${level}`, ts: at / 10 }] : [],
  );
}

function wordsPrinted({ stdout }: RunResult) {
  const { transcript } = jsonLines(stdout).at(-1);
  // biome-ignore lint/suspicious/noExplicitAny: as the command prints it
  const elements: any[] = transcript.monologues.flatMap((turn: any) => turn.elements);
  return elements.flatMap(({ type, value, ts }) => (type === 'text' ? [{ value, ts }] : []));
}

describe('a killed caption', { timeout: 300_000 }, () => {
  test('at its first line is finished by resume', () => finishes(0));

  test.for([1, 2, 3, 4])('at a moment that nobody chose is finished by resume (%i)', () =>
    finishes(Math.floor(Math.random() * 200)),
  );

  async function finishes(lines: number): Promise<void> {
    const spool = await killedCaption(lines);
    const words = await wordsTaken(spool);
    const resumed = await runCommand(resume(spool), { env: environment() });
    expect(resumed, `killed behind line ${lines}`).toMatchObject({ code: 0, stderr: '' });
    expect(wordsPrinted(resumed), `killed behind line ${lines}`).toEqual(words);
    expect(existsSync(spool)).toBe(false);
  }

  test('is finished also when resume is killed: before it has a job, and while it waits for one', async () => {
    const spool = await killedCaption(100);
    const words = await wordsTaken(spool);
    expect(words.length).toBeGreaterThan(0);
    await killedAt(line => line.includes('"killed"'), resume(spool));
    await killedAt(line => line.includes('"repairing"'), resume(spool));
    const resumed = await runCommand(resume(spool), { env: environment() });
    expect(wordsPrinted(resumed)).toEqual(words);
    expect(existsSync(spool)).toBe(false);
  });
});
