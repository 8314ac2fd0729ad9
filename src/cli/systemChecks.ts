import { spawnSync } from 'node:child_process';
import { RECORDERS } from '../audio/microphone.ts';
import { messageOf } from '../base/errors.ts';
import { EMBEDDED_MODEL } from '../engines/models/catalogue.ts';
import type { CatalogueModel } from '../engines/models/catalogueModel.ts';
import { findFaults } from '../engines/models/modelState.ts';
import { embeddedModelPlace } from './fetchEmbedded.ts';

/** One thing that rxscribe uses of the machine. */
export interface SystemCheck {
  readonly name: string;
  /** What works only with it. */
  readonly purpose: string;
  /** Nothing works without it; otherwise only its purpose is missing. */
  readonly required: boolean;
  /** Debian packages that bring it. */
  readonly packages: readonly string[];
  /** What was found (a version, a path), or why it cannot be used. */
  find(): Promise<Finding>;
}

export type Finding =
  | { readonly found: true; readonly what: string }
  | { readonly found: false; readonly why: string };

/** The recogniser that comes with rxscribe; no system package is needed for it. */
export const recognizerCheck: SystemCheck = {
  name: 'recogniser',
  purpose: 'the service, and captions without --url',
  required: true,
  packages: [],
  find: findRecognizer,
};

/** Resolves with whether all files of the recogniser are there, by their checksums, and the model can be loaded. */
async function findRecognizer(): Promise<Finding> {
  const { model, directory } = await embeddedModelPlace();
  try {
    const faults = await findFaults(model, directory);
    if (faults.length === 0) return { found: true, what: `${model.name}${await runtimeText(model)}` };
    const isAbsent = faults.every(({ fault }) => fault === 'missing');
    return {
      found: false,
      why: `${model.name} ${isAbsent ? 'was not fetched' : 'is incomplete or damaged'}`,
    };
  } catch (error) {
    return { found: false, why: messageOf(error) };
  }
}

/** Loads the model once, unless a catalogue has another in its place. Resolves with what runs it, for people. */
async function runtimeText(model: CatalogueModel): Promise<string> {
  if (model !== EMBEDDED_MODEL) return '';
  const [{ createMoonshineRecognizer }, { findNativeLibrary }] = await Promise.all([
    import('../engines/moonshine/recognizer.ts'),
    import('../engines/moonshine/nativeLibrary.ts'),
  ]);
  await using recognizer = createMoonshineRecognizer();
  await recognizer.warm();
  return findNativeLibrary() ? ', native' : ', by WebAssembly';
}

/** Everything that `rxscribe doctor` looks at. */
export const SYSTEM_CHECKS: readonly SystemCheck[] = [
  {
    name: 'Node',
    purpose: 'everything',
    required: true,
    packages: [],
    find: async () => ({ found: true, what: process.versions.node }),
  },
  recognizerCheck,
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
