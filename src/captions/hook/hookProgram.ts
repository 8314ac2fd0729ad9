import { type ChildProcess, spawn } from 'node:child_process';
import { type ChildEnd, watchChild } from '../../audio/source/program.ts';
import { fullJitterMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError, reasonOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { settledWithin, withAbort } from '../../base/wait/withTimeout.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import type { HookCommand } from './hookCommand.ts';
import {
  answerText,
  type HookTransport,
  jsonAnswer,
  type NumberedSentence,
  wireSentence,
} from './hookTransport.ts';

export interface HookProgramOptions {
  readonly command: HookCommand;
  /** Form of a line: the text alone, or a JSON object. */
  readonly format: 'text' | 'json';
  readonly language?: string;
  /** Called with lines that the program writes to its stderr. */
  readonly onMessage: (line: string) => void;
  readonly clock: Clock;
}

/** Waits between the end of the program and its next start. */
const BACKOFF = { baseMs: 1000, capMs: 30_000 } as const;
/** Minimum wait before a start. */
const LEAST_WAIT_MS = 200;
/** Milliseconds that the program has to end after its input has ended, and after SIGTERM. */
const END_MS = { ofInput: 2000, ofTerm: 1000 } as const;
/** Maximum number of sentences that are asked at the same time in JSON, where answers have numbers. */
const JSON_CONCURRENCY = 8;
/** Maximum number of characters in a line of output. */
const MAX_LINE = 65_536;
/** Lines of stderr for each start that are reported, and their longest length. */
const MESSAGES = { lines: 20, length: 300 } as const;

interface Asked {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A program that answers each line on its stdin by a line on its stdout. It is started again when it ends, and when it
 * does not answer.
 *
 * It gets no variable `RXSCRIBE_*`, as these hold tokens. It has a process group of its own: Control-C does not reach it, and
 * the programs that it has started end with it.
 */
export class HookProgram implements HookTransport {
  readonly concurrency: number;
  readonly #options: HookProgramOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #cancelStart = () => {};
  #failedStarts = 0;
  #failure = new RxscribeError('program-failed', 'The program of the hook was stopped.');
  /** The next start of the program; rejected when it will not be started any more. */
  #nextStart = Promise.withResolvers<ChildProcess>();
  /** Sentences without an answer, by id. With lines of text there is one at most. */
  readonly #asked = new Map<number, Asked>();
  /** Lines of output that were an answer. */
  #answers = 0;
  #closing: Promise<void> | undefined;

  constructor(options: HookProgramOptions) {
    this.#options = options;
    this.concurrency = options.format === 'json' ? JSON_CONCURRENCY : 1;
    this.#start();
  }

  async ask(sentence: NumberedSentence, signal: AbortSignal): Promise<string> {
    try {
      return await this.#attempt(sentence, signal);
    } catch (error) {
      // If the program ended, the sentence is sent once more after its next start.
      if (error !== this.#failure || signal.aborted || this.#closing) throw error;
      return this.#attempt(sentence, signal);
    }
  }

  async #attempt(sentence: NumberedSentence, signal: AbortSignal): Promise<string> {
    const child = this.#child ?? (await this.#started(signal));
    const { format, language } = this.#options;
    const isJson = format === 'json';
    const line = isJson ? JSON.stringify(wireSentence(sentence, language)) : oneLine(sentence.text);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const answersBefore = this.#answers;
    this.#asked.set(sentence.id, { resolve, reject });
    child.stdin?.write(`${line}\n`);
    try {
      return await withAbort(promise, signal);
    } catch (error) {
      // Without any answer the program is stuck; with lines of text, a late answer would count for the next sentence.
      if (signal.aborted && this.#answers === answersBefore) this.#abandon(child);
      throw error;
    } finally {
      this.#asked.delete(sentence.id);
    }
  }

  /** Ends a program that is stuck; the next sentence goes to a new program. */
  #abandon(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined;
    signalGroup(child, 'SIGKILL');
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#cancelStart();
    this.#nextStart.reject(this.#failure);
    const { clock } = this.#options;
    const child = this.#child;
    if (!child) return this.#ended;
    child.stdin?.end();
    await settledWithin(END_MS.ofInput, this.#ended, clock);
    if (this.#child === child) signalGroup(child, 'SIGTERM');
    await settledWithin(END_MS.ofTerm, this.#ended, clock);
    if (this.#child === child) signalGroup(child, 'SIGKILL');
    await this.#ended;
  }

  #start(): void {
    const { program, args } = this.#options.command;
    const isOurs = ([name]: readonly [string, unknown]) => name.startsWith('RXSCRIBE_');
    // Without file descriptors it has no streams.
    const child: ChildProcess = spawn(program, args, {
      detached: process.platform !== 'win32',
      windowsHide: true,
      env: Object.fromEntries(Object.entries(process.env).filter(entry => !isOurs(entry))),
    });
    this.#child = child;
    const killAtExit = () => signalGroup(child, 'SIGKILL');
    process.once('exit', killAtExit);
    readLines(
      child.stdout,
      line => {
        if (this.#child === child) this.#onLine(line);
      },
      () => this.#abandon(child),
    );
    this.#reportMessages(child);
    // Programs that it has started hold its output open, so they are ended first.
    child.on('exit', killAtExit);
    this.#ended = watchChild(child).then(end => {
      process.off('exit', killAtExit);
      this.#onEnd(end);
    });
    this.#nextStart.resolve(child);
    this.#nextStart = Promise.withResolvers();
    // Perhaps nothing awaits the next start when the program is closed.
    this.#nextStart.promise.catch(() => {});
  }

  async #started(signal: AbortSignal): Promise<ChildProcess> {
    try {
      return await withAbort(this.#nextStart.promise, signal);
    } catch {
      // The end of the program says more than a timeout.
      throw this.#failure;
    }
  }

  #onLine(line: string): void {
    const value = this.#options.format === 'json' ? jsonOf(line) : line;
    const asked = this.#askedOf(value);
    // A line that was not asked for, such as a greeting, is no answer.
    if (!asked) return;
    this.#answers++;
    this.#failedStarts = 0;
    try {
      asked.resolve(typeof value === 'string' ? answerText(value) : jsonAnswer(value));
    } catch (error) {
      asked.reject(error as Error);
    }
  }

  #askedOf(value: unknown): Asked | undefined {
    if (this.#options.format === 'text') return [...this.#asked.values()][0];
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    return typeof id === 'number' ? this.#asked.get(id) : undefined;
  }

  #onEnd(end: ChildEnd): void {
    this.#child = undefined;
    this.#failure = new RxscribeError('program-failed', `${reasonOfEnd(this.#options.command, end)}.`);
    for (const { reject } of this.#asked.values()) reject(this.#failure);
    if (this.#closing !== undefined) return;
    const waitMs = Math.max(LEAST_WAIT_MS, fullJitterMs(this.#failedStarts++, BACKOFF));
    this.#cancelStart = this.#options.clock.schedule(waitMs, () => this.#start());
  }

  #reportMessages(child: ChildProcess): void {
    let lines = 0;
    // A program that fails at each start writes the same lines again; the last lines are the reason of its end.
    const isFirstStart = this.#failedStarts === 0;
    const onLine = (line: string) => {
      if (isFirstStart && lines++ < MESSAGES.lines)
        this.#options.onMessage(oneLine(line).slice(0, MESSAGES.length));
    };
    readLines(child.stderr, onLine, () => {});
  }
}

/** Signals a program and the programs that it has started. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}

/** Calls back with each line of a stream. A line that is too long is dropped. */
function readLines(
  stream: NodeJS.ReadableStream | null | undefined,
  onLine: (line: string) => void,
  onTooLong: () => void,
): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length <= MAX_LINE) return;
    rest = '';
    onTooLong();
  });
}

function reasonOfEnd({ program }: HookCommand, { code, signal, stderrTail, error }: ChildEnd): string {
  if (error) return `The program '${program}' could not be started: ${reasonOf(error)}`;
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  const last = reasonOf(stderrTail).slice(-MESSAGES.length);
  return `The program '${program}' ${how}${last === '' ? '' : `: ${last}`}`;
}
