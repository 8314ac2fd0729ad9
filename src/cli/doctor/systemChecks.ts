import { spawnSync } from 'node:child_process';
import { RECORDERS } from '../../audio/source/microphone.ts';
import { reasonOf } from '../../base/errors.ts';
import { nodeTooOld } from '../../base/requireNode.ts';
import { hasServer, INSTALL_SERVER, loadLocal } from '../loadLocal.ts';
import type { Finding, SystemCheck } from './systemCheck.ts';

/** The recogniser that comes with rxscribe; no system package is needed for it. */
export const recognizerCheck: SystemCheck = {
  name: 'recogniser',
  purpose: 'the service, and captions without --url',
  required: true,
  packages: [],
  find: async () => (await loadLocal('recognizerCheck')).findRecognizer(),
};

/** Returns the check of a service that cannot be used here. */
function noService(why: string, command?: string): SystemCheck {
  const { purpose } = recognizerCheck;
  const find = async () => ({ found: false, why }) as const;
  return { name: 'service', purpose, required: false, packages: [], command, find };
}

async function serviceCheck(): Promise<SystemCheck> {
  const complaint = nodeTooOld('@rxscribe/server');
  if (complaint) return noService(reasonOf(complaint));
  return (await hasServer())
    ? recognizerCheck
    : noService('@rxscribe/server is not installed', INSTALL_SERVER);
}

/** Resolves with everything that `rxscribe doctor` looks at. */
export async function systemChecks(): Promise<readonly SystemCheck[]> {
  const [node, ...programs] = SYSTEM_CHECKS;
  return [node!, await serviceCheck(), ...programs];
}

const SYSTEM_CHECKS: readonly SystemCheck[] = [
  {
    name: 'Node',
    purpose: 'everything',
    required: true,
    packages: [],
    find: async () => ({ found: true, what: process.versions.node }),
  },
  {
    name: 'ffmpeg',
    purpose: 'audio other than WAV',
    required: false,
    packages: ['ffmpeg'],
    find: async () => versionOf('ffmpeg', '-version'),
  },
  {
    name: 'recorder',
    purpose: 'caption --mic',
    required: false,
    packages: ['alsa-utils'],
    async find() {
      const findings = RECORDERS.map(name => versionOf(name, '--version'));
      return (
        findings.find(finding => finding.found) ?? {
          found: false,
          why: `none of ${RECORDERS.join(', ')} was found`,
        }
      );
    },
  },
];

function versionOf(program: string, versionFlag: string): Finding {
  const { error, stdout } = spawnSync(program, [versionFlag], { encoding: 'utf8', timeout: 10_000 });
  if (error) return { found: false, why: `${program} was not found` };
  return {
    found: true,
    what:
      stdout
        .split('\n')[0]
        ?.replace(/ Copyright.*/, '')
        .trim() || program,
  };
}
