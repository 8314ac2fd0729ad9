import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Task, TaskContext, TaskResult } from '../../src/service/jobs/task.ts';
import { LIMIT_DEFAULTS } from '../../src/service/limits.ts';
import { createAddressGuard } from '../../src/service/outbound/addressGuard.ts';
import type { JobRecord } from '../../src/service/store/jobRecord.ts';
import type { TaskOptions } from '../../src/service/tasks/taskOptions.ts';
import { temporaryDirectory } from './dataDirectory.ts';
import { plainPunctuator } from './plainPunctuator.ts';
import { createScriptedRecognizer, type ScriptedRecognizer } from './scriptedRecognizer.ts';

export interface TestTaskOptions extends TaskOptions {
  readonly recognizer: ScriptedRecognizer;
  /** Errors reported to operators. */
  readonly faults: readonly unknown[];
}

/** Returns options of tasks in tests: the scripted recogniser, no other engine, and addresses of any kind. */
export function taskOptions(
  options: Partial<Omit<TaskOptions, 'recognizer'>> & { readonly recognizer?: ScriptedRecognizer } = {},
): TestTaskOptions {
  const faults: unknown[] = [];
  return {
    recognizer: createScriptedRecognizer(),
    punctuator: plainPunctuator,
    guard: createAddressGuard({ allowPrivate: true }),
    limits: LIMIT_DEFAULTS.jobs,
    phrasesOf: async () => undefined,
    clock: systemClock,
    onError: error => faults.push(error),
    faults,
    ...options,
  };
}

export interface TaskRunOptions {
  readonly job?: Partial<JobRecord>;
  readonly input?: unknown;
  /** Path of the media, or what is in it. */
  readonly media?: string | Uint8Array;
  readonly reserve?: TaskContext['reserve'];
  readonly signal?: AbortSignal;
}

/** The effects of a task's run, however it ended. */
export interface TaskRun {
  readonly result: Promise<TaskResult>;
  /** The transcript, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read it as they expect it
  transcript(): Promise<any>;
  /** Values of its words. */
  words(): Promise<readonly string[]>;
  /** Reported progress, in order. */
  readonly progress: readonly number[];
  /** Seconds for which credit was held, in turn. */
  readonly reserved: readonly number[];
  /** Media that was kept for the next run. */
  readonly kept: readonly { readonly path: string; readonly name?: string }[];
}

/** Runs a task as the mechanism does, in a directory that is removed when the test is over. */
export async function runTask(task: Task, options: TaskRunOptions = {}): Promise<TaskRun> {
  const { input = {}, media, reserve = async () => {}, signal = new AbortController().signal } = options;
  const directory = await temporaryDirectory();
  const reserved: number[] = [];
  const progress: number[] = [];
  const kept: { path: string; name?: string }[] = [];
  const place = async () => {
    if (media === undefined || typeof media === 'string') return media;
    const path = join(directory, 'uploaded');
    await writeFile(path, media);
    return path;
  };
  const context: TaskContext = {
    // Input is kept as JSON.
    input: JSON.parse(JSON.stringify(input)),
    media: await place(),
    directory,
    signal,
    async reserve(seconds) {
      reserved.push(seconds);
      await reserve(seconds);
    },
    progress: fraction => progress.push(fraction),
    async keepMedia(path, name) {
      const moved = join(directory, `kept-${randomUUID()}`);
      await rename(path, moved);
      kept.push({ path: moved, ...(name !== undefined && { name }) });
      return moved;
    },
    async keepFile(name, path) {
      kept.push({ path, name });
    },
  };
  const result = task(jobRecord(options.job), context);
  // A test may look at the result, or only at what happened before.
  result.catch(() => {});
  const transcript = async () => JSON.parse((await result).results.transcript!);
  return {
    result,
    reserved,
    progress,
    kept,
    transcript,
    async words() {
      const { monologues } = await transcript();
      // biome-ignore lint/suspicious/noExplicitAny: JSON
      const elements = monologues.flatMap((monologue: any) => monologue.elements);
      // biome-ignore lint/suspicious/noExplicitAny: JSON
      return elements.filter(({ type }: any) => type === 'text').map(({ value }: any) => value);
    },
  };
}

function jobRecord(job: Partial<JobRecord> = {}): JobRecord {
  return {
    id: 'Job0',
    accountId: 'owner',
    type: 'async',
    status: 'in_progress',
    createdOn: new Date(0),
    language: 'en',
    reservedSeconds: 0,
    attempts: 1,
    ...job,
  };
}
