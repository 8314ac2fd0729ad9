import { type ChildProcess, spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Context, Io } from '../../src/cli/context.ts';
import { main } from '../../src/cli/main.ts';
import { PROVIDED } from '../../src/cli/provide.ts';
import { SLOW_START_NOTE } from '../../src/cli/service/startEmbedded.ts';

const CLI = new URL('../../src/cli.ts', import.meta.url).pathname;

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: Buffer;
  /** Keeps standard input open after its data. */
  readonly staysOpen?: boolean;
}

export interface ProcessOptions extends RunOptions {
  /** Script of bash that runs the command line, which is `"$@"` in it. */
  readonly script?: string;
}

export interface TerminalOptions extends RunOptions {
  /** Makes both outputs a terminal of this width. Default: they are pipes. */
  readonly columns?: number;
  /** Rows of that terminal. Default 40. */
  readonly rows?: number;
  /** Shows styles in that terminal. Default false. */
  readonly colours?: boolean;
  /** Clock of the command. Default: the system's. */
  readonly clock?: Clock;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Without the note that a service starts slowly, which any busy machine may cause. */
  readonly stderr: string;
}

/** One running command line, in this process or in its own. */
export interface RunningCommand extends AsyncDisposable {
  /** Resolves with the first line of stdout that matches, also one before the call; rejects when the command ends before. */
  line(pattern: RegExp): Promise<string>;
  /** As `line`, of stderr. */
  errorLine(pattern: RegExp): Promise<string>;
  /** Interrupts the command as Ctrl-C does. */
  interrupt(): void;
  readonly done: Promise<RunResult>;
}

/** A command line in a process of its own. */
export interface RunningProcess extends RunningCommand {
  readonly process: ChildProcess;
}

/** Returns the variables of this process without those that are options of commands, and others in their place. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(RXSCRIBE_(?!MODELS$)|DATABASE_URL|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...env };
}

/** Returns a context without input, whose output is dropped: for programs that only describe their commands. */
export function idleContext(): Context {
  return {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    clock: systemClock,
    onInterrupt: () => () => {},
    exit() {},
    provided: PROVIDED,
    exitCode: 0,
  };
}

/** Returns a command with all commands below it. */
export function withCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

/**
 * Returns the words of a command line. A value in it is one word, and a list of values is several words.
 *
 * @example
 * cli`caption ${path} --speed max ${service.args}`;
 */
export function cli(
  { raw }: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): readonly string[] {
  return raw.flatMap((text, index) => [
    ...text.split(/\s+/).filter(Boolean),
    ...[values[index] ?? []].flat(),
  ]);
}

/** Returns the command that runs a command line from source, in a process of its own. */
export function sourceCommand(args: readonly string[]): readonly [program: string, ...args: string[]] {
  return [process.execPath, '--conditions=source', CLI, ...args];
}

/** Returns the values of JSON lines. */
export function jsonLines(stdout: string) {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

/** Runs a command line in this process, to its end. */
export function runCommand(args: readonly string[], options?: TerminalOptions): Promise<RunResult> {
  return startCommand(args, options).done;
}

/** Starts a command line in this process. */
export function startCommand(args: readonly string[], options: TerminalOptions = {}): RunningCommand {
  const stdin = new PassThrough();
  stdin.write(options.stdin ?? '');
  if (!options.staysOpen) stdin.end();
  const [stdout, stderr] = [captured(options), captured(options)];
  const listeners = new Set<() => void>();
  const exited = Promise.withResolvers<number>();
  const io: Io = {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: cleanEnvironment(options.env),
    clock: options.clock ?? systemClock,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    exit: exited.resolve,
  };
  const ended = Promise.race([main(args, io), exited.promise]);
  const done = ended.then(code => ({ code, stdout: stdout.text(), stderr: errorText(stderr) }));
  const interrupt = () => {
    if (listeners.size === 0) exited.resolve(130);
    for (const listener of listeners) listener();
  };
  return {
    done,
    line: pattern => lineOf(stdout, pattern, done),
    errorLine: pattern => lineOf(stderr, pattern, done),
    interrupt,
    async [Symbol.asyncDispose]() {
      if (listeners.size > 0) interrupt();
      await done;
    },
  };
}

/** Runs a command line in a process of its own, to its end. */
export function runProcess(args: readonly string[], options?: ProcessOptions): Promise<RunResult> {
  return startProcess(args, options).done;
}

/** Starts a command line from source, in a process of its own. */
export function startProcess(args: readonly string[], options: ProcessOptions = {}): RunningProcess {
  const direct = sourceCommand(args);
  const { script } = options;
  return startProgram(script === undefined ? direct : ['bash', '-c', script, 'bash', ...direct], options);
}

/** Starts a program. */
export function startProgram(
  [program, ...words]: readonly [program: string, ...args: string[]],
  options: RunOptions = {},
): RunningProcess {
  const child = spawn(program, words, { env: cleanEnvironment(options.env) });
  const [stdout, stderr] = [capturing(child.stdout), capturing(child.stderr)];
  child.stdin.on('error', () => {});
  if (options.staysOpen) child.stdin.write(options.stdin ?? '');
  else child.stdin.end(options.stdin);
  const done = new Promise<RunResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout: stdout.text(), stderr: errorText(stderr) }));
  });
  return {
    process: child,
    done,
    line: pattern => lineOf(stdout, pattern, done),
    errorLine: pattern => lineOf(stderr, pattern, done),
    interrupt: () => void child.kill('SIGINT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await done;
    },
  };
}

interface Captured {
  readonly stream: Readable;
  text(): string;
}

const errorText = (stderr: Captured) => stderr.text().replace(`${SLOW_START_NOTE}\n`, '');

function captured({ columns, rows = 40, colours = false }: TerminalOptions) {
  const stream = Object.assign(new PassThrough(), {
    ...(columns !== undefined && { isTTY: true, columns, rows }),
    getColorDepth: () => (colours ? 8 : 1),
  });
  return { ...capturing(stream), stream };
}

function capturing(stream: Readable): Captured {
  let text = '';
  stream.setEncoding('utf8').on('data', data => {
    text += data;
  });
  return { stream, text: () => text };
}

function lineOf(
  { stream, text }: Captured,
  pattern: RegExp,
  done: Promise<{ readonly code: number | null; readonly stderr: string }>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = text()
        .split('\n')
        .slice(0, -1)
        .find(each => pattern.test(each));
      if (line === undefined) return;
      stream.off('data', look);
      resolve(line);
    };
    stream.on('data', look);
    look();
    void done.then(({ code, stderr }) =>
      reject(new Error(`ended with ${code} before ${pattern}: ${stderr}`)),
    );
  });
}
