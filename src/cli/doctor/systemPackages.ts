import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { RxscribeError } from '../../base/errors.ts';

/** Who may install system packages here, and how the command begins. */
export type Installer =
  | { readonly kind: 'root' | 'sudo'; readonly command: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** What apt-get is doing, as percent of the whole where it says so. */
export type OnProgress = (text: string, percent?: number) => void;

const INSTALL = ['install', '-y', '--no-install-recommends'];

/** Finds whether apt-get can be used: as root, or by sudo without a password. */
export function findInstaller(): Installer {
  if (!runs('apt-get', ['--version'])) return { kind: 'none', reason: 'apt-get was not found' };
  if (process.getuid?.() === 0) return { kind: 'root', command: ['apt-get'] };
  if (runs('sudo', ['-n', 'true']))
    return { kind: 'sudo', command: ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'] };
  return { kind: 'none', reason: 'not root, and sudo asks for a password' };
}

/** The one command that a person can run instead; a new Debian has no sudo. */
export function installCommand(packages: readonly string[]): string {
  const update = 'apt-get update';
  const install = `apt-get ${INSTALL.join(' ')} ${packages.join(' ')}`;
  return runs('sudo', ['--version'])
    ? `sudo ${update} && sudo ${install}`
    : `su -c '${update} && ${install}'`;
}

/**
 * Installs Debian packages.
 *
 * @throws RxscribeError `program-missing` with apt-get's own last words
 */
export async function installPackages(
  installer: Exclude<Installer, { kind: 'none' }>,
  packages: readonly string[],
  onProgress: OnProgress,
): Promise<void> {
  onProgress('reading the package lists');
  await runApt(installer.command, ['update', '-qq'], onProgress);
  await runApt(installer.command, [...INSTALL, '-o', 'APT::Status-Fd=1', ...packages], onProgress);
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

async function runApt(
  command: readonly string[],
  args: readonly string[],
  onProgress: OnProgress,
): Promise<void> {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  let complaint = '';
  child.stderr.on('data', data => {
    complaint = `${complaint}${data}`.slice(-2000);
  });
  createInterface(child.stdout).on('line', line => {
    // apt's status lines: kind, package, percent, what it does.
    const [, percent, text] = /^(?:pmstatus|dlstatus):[^:]*:([\d.]+):(.*)$/.exec(line) ?? [];
    if (percent !== undefined) onProgress(text ?? '', Number(percent));
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const said =
    complaint
      .trim()
      .split('\n')
      .filter(line => line.startsWith('E:'))
      .join(' ') || complaint.trim();
  throw new RxscribeError('program-missing', `apt-get ${args[0]}: it failed (${said})`);
}
