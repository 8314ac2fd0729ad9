import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const CLI = new URL('../../src/cli.ts', import.meta.url).pathname;

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: Buffer;
  /** Standard input does not end behind that. */
  readonly staysOpen?: boolean;
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One `rxscribe` process. */
export interface RunningCommand extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Resolves with the first line of stdout that matches; rejects when the process ends before. */
  line(pattern: RegExp): Promise<string>;
  readonly done: Promise<RunResult>;
}

/** Starts the command line from source, with nothing of this process's RXSCRIBE_ environment. */
export function startCommand(args: readonly string[], options: RunOptions = {}): RunningCommand {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(RXSCRIBE_|DATABASE_URL|FORCE_COLOR)/.test(name),
  );
  const child = spawn(process.execPath, ['--conditions=source', CLI, ...args], {
    env: { ...Object.fromEntries(inherited), ...options.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', data => {
    stdout += data;
  });
  child.stderr.on('data', data => {
    stderr += data;
  });
  child.stdin.on('error', () => {});
  if (options.staysOpen) child.stdin.write(options.stdin ?? '');
  else child.stdin.end(options.stdin);
  const done = new Promise<RunResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout, stderr }));
  });
  return {
    process: child,
    done,
    line: pattern =>
      new Promise((resolve, reject) => {
        createInterface(child.stdout).on('line', line => pattern.test(line) && resolve(line));
        void done.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}: ${stderr}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await done;
    },
  };
}

/** Runs a command line to its end. */
export function runCommand(args: readonly string[], options?: RunOptions): Promise<RunResult> {
  return startCommand(args, options).done;
}
