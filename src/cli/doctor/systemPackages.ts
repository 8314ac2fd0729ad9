import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { RxscribeError } from '../../base/errors.ts';

/** Reports a step of apt-get, with the percentage done if known. */
export type OnProgress = (text: string, percent?: number) => void;

const INSTALL = ['install', '-y', '--no-install-recommends'];

/** Returns the command that runs apt-get with the right to install: as root, or by sudo without a password; else undefined. */
export function findApt(env: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (!runs('apt-get', ['--version'], env)) return undefined;
  if (process.getuid?.() === 0) return ['apt-get'];
  const canSudo = runs('sudo', ['-n', 'true'], env);
  return canSudo ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] : undefined;
}

/** Returns the command that a person with more rights can run: with sudo, or with su on a Debian without it. */
export function installCommand(packages: readonly string[], env: NodeJS.ProcessEnv): string {
  const update = 'apt-get update';
  const install = `apt-get ${INSTALL.join(' ')} ${packages.join(' ')}`;
  return runs('sudo', ['--version'], env)
    ? `sudo ${update} && sudo ${install}`
    : `su -c '${update} && ${install}'`;
}

export interface InstallOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: OnProgress;
}

/**
 * Installs Debian packages by a command of {@link findApt}.
 *
 * @throws RxscribeError `program-missing` with the last errors of apt-get
 */
export async function installPackages(
  apt: readonly string[],
  packages: readonly string[],
  options: InstallOptions,
): Promise<void> {
  options.onProgress('reading the package lists');
  await runApt(apt, ['update', '-qq'], options);
  await runApt(apt, [...INSTALL, '-o', 'APT::Status-Fd=1', ...packages], options);
}

function runs(program: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000, env }).status === 0;
}

async function runApt(
  command: readonly string[],
  args: readonly string[],
  { env, onProgress }: InstallOptions,
): Promise<void> {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  let errors = '';
  child.stderr.on('data', data => {
    errors = `${errors}${data}`.slice(-2000);
  });
  createInterface(child.stdout).on('line', line => {
    // Status lines of apt-get: kind, package, percent, step.
    const [, percent, text] = /^(?:pmstatus|dlstatus):[^:]*:([\d.]+):(.*)$/.exec(line) ?? [];
    if (percent !== undefined) onProgress(text ?? '', Number(percent));
  });
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const lines = errors.trim().split('\n');
  const reason = lines.filter(line => line.startsWith('E:')).join(' ') || lines.join(' ');
  throw new RxscribeError('program-missing', `'apt-get ${args[0]}' failed: ${reason}`);
}
