import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSCRIPT_ENDINGS, type TranscriptEnding } from '../../../src/captions/files/transcriptEnding.ts';
import { type RunningProcess, startProcess } from '../../helpers/commandLine.ts';
import { OPERATOR_FLAGS } from './operator.ts';
import type { Targets } from './targets.ts';

/** Paths and addresses of the command under test; each start has the same. */
export interface CaptionerPlaces {
  readonly directory: string;
  readonly input: string;
  readonly page: number;
  readonly targets: Targets;
}

/** One run of `rxscribe caption`. */
export interface CaptionerRun {
  readonly running: RunningProcess;
  readonly startedAtMs: number;
  /** Memory in MiB by seconds since the start. */
  readonly memory: (readonly [seconds: number, mebibytes: number])[];
}

/** Returns the path of a file of the transcript. */
export function transcriptPath({ directory }: Pick<CaptionerPlaces, 'directory'>, ending: TranscriptEnding) {
  return join(directory, `talk${ending}`);
}

export function startCaptioner(places: CaptionerPlaces): CaptionerRun {
  const { directory, input, page, targets } = places;
  const { youtube, zoom, obsUrl, hls, video } = targets;
  const files = TRANSCRIPT_ENDINGS.flatMap(ending => ['--out', transcriptPath(places, ending)]);
  const obs = ['--obs', obsUrl, '--obs-source', 'Captions', '--obs-captions'];
  const posts = ['--youtube', youtube.address, '--zoom', zoom.address, '--delay', 'zoom=3'];
  const segments = ['--hls', hls, '--hls-clock', video];
  const operation = ['--json', '--continue', '--record', join(directory, 'cassettes')];
  const outputs = ['--page', String(page), ...OPERATOR_FLAGS, ...obs, ...posts, ...segments];
  const running = startProcess(['caption', input, ...operation, ...files, ...outputs]);
  return { running, startedAtMs: performance.now(), memory: [] };
}

/** Kills a run without a warning; resolves with what it printed. */
export async function kill({ running }: CaptionerRun): Promise<string> {
  running.process.kill('SIGKILL');
  return (await running.done).stdout;
}

/** Ends a run by SIGTERM; resolves with its result and the seconds that it took. */
export async function terminate({ running }: CaptionerRun) {
  const sinceMs = performance.now();
  const ended = once(running.process, 'exit');
  running.process.kill('SIGTERM');
  await ended;
  return { ...(await running.done), seconds: (performance.now() - sinceMs) / 1000 };
}

/** Reads the metrics of a run, and its memory. */
export async function sample(run: CaptionerRun, page: number): Promise<ReadonlyMap<string, number>> {
  const { pid } = run.running.process;
  const seconds = (performance.now() - run.startedAtMs) / 1000;
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kibibytes) run.memory.push([seconds, Number(kibibytes) / 1024]);
    const response = await fetch(`http://127.0.0.1:${page}/metrics`, { signal: AbortSignal.timeout(2000) });
    const lines = (await response.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map(line => {
        const [name, value] = line.split(/ (?=\S+$)/);
        return [name!.replace('rxscribe_captions_', ''), Number(value)] as const;
      }),
    );
  } catch {
    // The process is starting or has just ended.
    return new Map();
  }
}

/** Returns the words of the finals that a run has printed, in order. */
export function finalsIn(stdout: string): readonly (readonly string[])[] {
  const lines = stdout.split('\n').filter(line => /^\{"type":"final"/.test(line) && line.endsWith('}'));
  return lines.map(line => {
    const { elements } = JSON.parse(line) as { readonly elements: readonly { readonly value: string }[] };
    return wordsIn(elements.map(({ value }) => value).join(''));
  });
}

/** Returns the words of a text, without marks and case. */
export function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s-]+/)
    .map(word => word.replace(/[^\p{L}\p{N}']/gu, ''))
    .filter(Boolean);
}
