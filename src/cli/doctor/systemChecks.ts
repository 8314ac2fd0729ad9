import { spawnSync } from 'node:child_process';
import { RECORDERS } from '../../audio/source/recorder.ts';
import { reasonOf } from '../../base/errors.ts';
import { nodeTooOld } from '../../base/requireNode.ts';
import { hasServer, INSTALL_SERVER, loadLocal } from '../loadLocal.ts';
import type { Finding } from '../local/recognizer.ts';

/** A program or file of the machine that rxscribe uses. */
export interface SystemCheck {
  readonly name: string;
  /** Features that need this program or file. */
  readonly purpose: string;
  /** True when no command works without it; by default, only its purpose is missing. */
  readonly required?: boolean;
  /** Debian packages that provide it. Default: none. */
  readonly packages?: readonly string[];
  /** True for the recogniser, which is fetched instead of installed. */
  readonly isRecognizer?: boolean;
  /** Command that provides it, where `--fix` cannot. */
  readonly command?: string;
  find(env: NodeJS.ProcessEnv): Promise<Finding>;
}

/** Resolves with everything that `rxscribe doctor` checks. */
export async function systemChecks(): Promise<readonly SystemCheck[]> {
  const [node, ...programs] = SYSTEM_CHECKS;
  return [node!, await serviceCheck(), ...programs];
}

const PURPOSE = 'the service, and captions without --url';

/** Resolves with the check of the recogniser, or of the service where that cannot be used. */
async function serviceCheck(): Promise<SystemCheck> {
  const problem = nodeTooOld('@rxscribe/server');
  if (problem) return noService(reasonOf(problem));
  if (!(await hasServer())) return noService('@rxscribe/server is not installed', INSTALL_SERVER);
  return {
    name: 'recogniser',
    purpose: PURPOSE,
    required: true,
    isRecognizer: true,
    find: async env => (await loadLocal('recognizer')).findRecognizer(env),
  };
}

function noService(why: string, command?: string): SystemCheck {
  const find = async () => ({ found: false, why }) as const;
  return { name: 'service', purpose: PURPOSE, command, find };
}

const SYSTEM_CHECKS: readonly SystemCheck[] = [
  {
    name: 'Node',
    purpose: 'everything',
    required: true,
    find: async () => ({ found: true, what: process.versions.node }),
  },
  {
    name: 'ffmpeg',
    purpose: 'MP4, AAC and rarer audio formats, live addresses',
    packages: ['ffmpeg'],
    find: async env => versionOf('ffmpeg', '-version', env),
  },
  {
    name: 'recorder',
    purpose: 'caption --mic',
    packages: ['alsa-utils'],
    async find(env) {
      const findings = RECORDERS.map(name => versionOf(name, '--version', env));
      const why = `none of ${RECORDERS.join(', ')} was found`;
      return findings.find(({ found }) => found) ?? { found: false, why };
    },
  },
];

function versionOf(program: string, versionFlag: string, env: NodeJS.ProcessEnv): Finding {
  const { error, stdout } = spawnSync(program, [versionFlag], { encoding: 'utf8', timeout: 10_000, env });
  if (error) return { found: false, why: `${program} was not found` };
  const [line = ''] = stdout.split('\n');
  return { found: true, what: line.replace(/ Copyright.*/, '').trim() || program };
}
