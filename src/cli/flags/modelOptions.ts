import { resolve } from 'node:path';
import { MODEL_ROLES, MODELS_DIRECTORY, type ModelRole } from '../../base/models.ts';
import { shellWord } from '../../base/text.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';

/** Options of every `rxscribe model` command. Each model has a directory of its name in the directory of models. */
export const MODEL_OPTIONS = optionGroup('Models', {
  '--directory <directory>': {
    help: 'directory of models',
    env: 'RXSCRIBE_MODELS',
    default: MODELS_DIRECTORY,
    parse: (path: string) => resolve(path),
  },
  '--catalogue <file>': { help: 'JSON file with more models', env: 'RXSCRIBE_MODEL_CATALOGUE' },
});

/** Models that can be listed, fetched and used. */
export type ModelFlags = FlagsOf<typeof MODEL_OPTIONS> & { readonly json?: boolean };

/** Returns the models that the environment names. */
export function modelFlagsOf(env: NodeJS.ProcessEnv): ModelFlags {
  return {
    directory: resolve(env.RXSCRIBE_MODELS || MODELS_DIRECTORY),
    catalogue: env.RXSCRIBE_MODEL_CATALOGUE,
  };
}

/** Returns the command that fetches a model, with flags for places other than the default. */
export function pullCommand(
  name: string,
  { directory, catalogue }: Pick<ModelFlags, 'directory' | 'catalogue'>,
): string {
  const places = [
    ...(directory === MODELS_DIRECTORY ? [] : ['--directory', directory]),
    ...(catalogue ? ['--catalogue', catalogue] : []),
  ];
  return ['rxscribe model pull', name, ...places.map(shellWord)].join(' ');
}

/** Returns a role as it is written on a command line, such as `language-identifier`. */
export function roleName(role: ModelRole): string {
  return role.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

export const ROLE_NAMES: readonly string[] = MODEL_ROLES.map(roleName);

/** Returns the role of a name in {@link ROLE_NAMES}. */
export function roleOf(name: string): ModelRole {
  return MODEL_ROLES.find(role => roleName(role) === name)!;
}

/** Returns bytes in decimal units, such as `42 kB` or `1.5 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
