import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../../src/audio/program.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerSession } from '../../../src/engines/recognizer.ts';
import { recognizeWhole } from '../../../src/engines/recognizeWhole.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';
import { cpuSecondsOf } from '../../helpers/cpuSeconds.ts';
import { joined, readSampleSpeech, silence } from '../../helpers/sampleSpeech.ts';

const PROGRAM = 'pocketsphinx_continuous';
const READING = 'sense-and-sensibility';
const STREAM_SECONDS = 20;
const PIECE_FRAMES = 1600;
/** A session that is done later than this after its audio does not keep up. */
const MAX_LAG_SECONDS = 2;

/** What sessions take: processor time of speech and of silence, memory, and how many keep up with their audio. */
export async function run(): Promise<void> {
  const reading = readSampleSpeech(READING);
  await using recognizer = createPocketSphinxRecognizer({ maxSessions: 100, spareDecoders: 0 });
  const minute = joined(reading, reading, reading).subarray(0, 60 * 16_000);
  const cpuOf = (audio: Int16Array) =>
    cpuSecondsOf(async () => recognizeWhole(await recognizer.open(), [audio]));
  const loading = await cpuOf(new Int16Array(0));
  const speech = (await cpuOf(minute)) - loading;
  const quiet = (await cpuOf(silence(60))) - loading;
  console.table([
    { what: 'a minute of speech', 'CPU s': rounded(speech) },
    { what: 'a minute of silence', 'CPU s': rounded(quiet) },
    { what: 'opening a session', 'CPU s': rounded(loading) },
  ]);
  console.table([
    { sessions: 1, 'MB each': await memoryPerSession(recognizer, reading, 1) },
    { sessions: 4, 'MB each': await memoryPerSession(recognizer, reading, 4) },
    ...(findProgram(PROGRAM) ? [{ sessions: PROGRAM, 'MB each': await memoryOfProgram() }] : []),
  ]);
  await sessionsThatKeepUp(recognizer, joined(reading, reading).subarray(0, STREAM_SECONDS * 16_000));
}

/** Proportional set size of each session's process after some speech, the largest of them. */
async function memoryPerSession(recognizer: Recognizer, audio: Int16Array, count: number): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: count }, () => recognizer.open()));
  await Promise.all(sessions.map(session => session.write(audio)));
  const sizes = childrenWith('pocketsphinx/child').map(proportionalMegabytes);
  await Promise.all(sessions.map(session => session.close()));
  return Math.max(...sizes);
}

/** The most that the engine's own program takes for the same. */
async function memoryOfProgram(): Promise<number> {
  const path = fileURLToPath(new URL(`../../../samples/${READING}.wav`, import.meta.url));
  const child = spawn(PROGRAM, ['-infile', path, '-logfn', '/dev/null'], { stdio: 'ignore' });
  let most = 0;
  while (child.exitCode === null && child.signalCode === null) {
    most = Math.max(most, proportionalMegabytes(child.pid!));
    await setTimeout(100);
  }
  return most;
}

function proportionalMegabytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Math.round(Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** More and more streams at once, each at the rate of its audio, until one does not keep up. */
async function sessionsThatKeepUp(recognizer: Recognizer, audio: Int16Array): Promise<void> {
  const cores = availableParallelism();
  const rows = [];
  for (let count = cores; count <= 12 * cores; count += cores) {
    const sessions = await Promise.all(Array.from({ length: count }, () => recognizer.open()));
    const lags = await Promise.all(sessions.map(session => lagOf(session, audio)));
    const lag = Math.max(...lags);
    rows.push({ cores, streams: count, 'worst lag, s': rounded(lag), 'keep up': lag <= MAX_LAG_SECONDS });
    if (lag > MAX_LAG_SECONDS) break;
  }
  console.table(rows);
}

/** Seconds from the end of a stream that is fed at its own rate until all of it is recognised. */
async function lagOf(session: RecognizerSession, audio: Int16Array): Promise<number> {
  const begun = performance.now();
  const left = (frame: number) => frame / 16 - (performance.now() - begun);
  for (let at = 0; at < audio.length; at += PIECE_FRAMES) {
    await setTimeout(Math.max(0, left(at + PIECE_FRAMES)));
    await session.write(audio.subarray(at, at + PIECE_FRAMES));
  }
  await session.finish();
  await session.close();
  return -left(audio.length) / 1000;
}

function rounded(seconds: number): number {
  return Math.round(100 * seconds) / 100;
}
