import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { LimitedServiceOptions } from './limitedService.ts';

/** A service in a process of its own, so that it can be killed. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** The token that this start has created. */
  readonly token?: string;
  /** Output on stderr so far. */
  readonly log: string;
  /** Sends a signal and waits for the end; gives the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export interface ServiceLaunch {
  /** @throws Error with what the process wrote when it ends instead of listening */
  readonly listening: Promise<ServiceProcess>;
  /** Kills the process and waits for its end. */
  kill(): Promise<void>;
}

/**
 * Starts a service in a process, which the caller has to end.
 *
 * @param node what runs the program. Default: this Node
 */
export function launchService(
  options: Omit<LimitedServiceOptions, 'recognizer' | 'logger' | 'clock' | 'accounts'>,
  node: string = process.execPath,
): ServiceLaunch {
  const program = new URL('./serviceMain.ts', import.meta.url).pathname;
  const child = spawn(node, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.on('data', data => {
    log += String(data);
  });
  const lines = createInterface(child.stdout);
  const listening = async () => {
    const first = await Promise.race([once(lines, 'line'), exited.then(() => undefined)]);
    if (!first) throw new Error(log);
    return {
      ...(JSON.parse(first[0]) as { url: string; token?: string }),
      pid: child.pid!,
      get log() {
        return log;
      },
      async end(signal: 'SIGTERM' | 'SIGKILL') {
        child.kill(signal);
        return (await exited)[0] as number | null;
      },
    };
  };
  return {
    listening: listening(),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
