import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from './freePorts.ts';

export const BALANCERS = ['haproxy', 'nginx'] as const;
export type BalancerName = (typeof BALANCERS)[number];

/** Returns the path of the sample's configuration. */
export function balancerSample(name: BalancerName): string {
  const file = name === 'haproxy' ? 'haproxy.cfg' : 'nginx.conf';
  return new URL(`../../samples/deploy/${file}`, import.meta.url).pathname;
}

/** A load balancer in a process of its own, with the configuration of the samples. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Log so far. */
  readonly log: string;
}

/**
 * Starts a load balancer in front of these services. Of the sample's configuration it changes addresses and paths alone.
 *
 * @param rules lines added to the rules of HAProxy for requests. Default: none
 * @throws Error with what the program wrote when it ends instead of listening
 */
export async function startBalancer(
  name: BalancerName,
  services: readonly { readonly port: number }[],
  rules: readonly string[] = [],
): Promise<Balancer> {
  const directory = mkdtempSync(join(tmpdir(), `rxscribe-${name}-`));
  const [port] = (await freePorts(1)) as [number];
  const path = join(directory, 'balancer.conf');
  const addresses = services.map(service => `127.0.0.1:${service.port}`);
  writeFileSync(path, configurationOf(name, { directory, port, addresses, rules }));
  const args = name === 'haproxy' ? ['-db', '-f', path] : ['-c', path, '-g', 'daemon off;'];
  const logPath = join(directory, 'log');
  // A file: nginx opens its output by a name, which a pipe of Node does not have.
  const output = openSync(logPath, 'a', 0o666);
  const child = spawn(name, args, { stdio: ['ignore', output, output] });
  closeSync(output);
  const logged = () => readFileSync(logPath, 'utf8');
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  while (!(await isUp(url))) {
    if (child.exitCode === null) continue;
    const log = logged();
    await stop();
    throw new Error(log);
  }
  return {
    url,
    port,
    get log() {
      return logged();
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns whether the balancer answers and knows a process behind it that is ready. */
async function isUp(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } });
    return status === 200;
  } catch {
    return false;
  } finally {
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

interface Places {
  readonly directory: string;
  readonly port: number;
  readonly addresses: readonly string[];
  readonly rules: readonly string[];
}

function configurationOf(name: BalancerName, { directory, port, addresses, rules }: Places): string {
  const sample = readFileSync(balancerSample(name), 'utf8');
  const servers = addresses.map((address, index) =>
    name === 'haproxy'
      ? `    server api-${index + 1} ${address}`
      : `server ${address} max_fails=1 fail_timeout=5s;`,
  );
  const placed = sample
    .replace(
      /^( +(?:bind |listen ):?)8080/gm,
      (_, start: string) => `${start.replace(':', '127.0.0.1:')}${port}`,
    )
    .replace(/^ +server (?:api-1 )?api-1:8080.*\n/gm, `${servers.join('\n')}\n`)
    .replace(/^ +server (?:api-2 )?api-2:8080.*\n/gm, '');
  if (name === 'haproxy') {
    return placed
      .replace('default-path config', `default-path origin ${dirname(balancerSample(name))}`)
      .replace(/^ +option forwardfor\n/m, line => `${line}${rules.map(rule => `    ${rule}\n`).join('')}`);
  }
  // A worker that drains its streams would outlive the test.
  return placed.replaceAll('/tmp/', `${directory}/`).replace('listen ', 'listen 127.0.0.1:');
}
