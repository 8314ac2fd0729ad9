import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { ServiceOptions } from '../../src/service/options.ts';

/** A service in a process of its own, so that it can be killed. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** The token that this start made. */
  readonly token?: string;
  /** Output on stderr so far. */
  readonly log: string;
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * @param node what runs the program. Default: this Node
 * @throws Error with what the process wrote when it ends instead of listening
 */
export async function startServiceProcess(
  options: Omit<ServiceOptions, 'recognizer' | 'logger' | 'clock' | 'accounts'>,
  node: string = process.execPath,
): Promise<ServiceProcess> {
  const program = new URL('./serviceMain.ts', import.meta.url).pathname;
  const child = spawn(node, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let log = '';
  child.stderr.on('data', data => {
    log += String(data);
  });
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
  if (!first) throw new Error(log);
  return {
    ...(JSON.parse(first[0]) as { url: string; token?: string }),
    pid: child.pid!,
    get log() {
      return log;
    },
    async end(signal) {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
