import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { MODEL_ROLES, MODELS_DIRECTORY, type ModelRole } from '../../base/models.ts';

/** Where models are kept, and which there are. */
export interface ModelFlags {
  readonly directory: string;
  /** A file with models of one's own. */
  readonly catalogue?: string;
  readonly json?: boolean;
}

/** As it is written on a command line, such as `language-identifier`. */
export function roleName(role: ModelRole): string {
  return role.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

export const ROLE_NAMES: readonly string[] = MODEL_ROLES.map(roleName);

/** The role of a name of {@link ROLE_NAMES}. */
export function roleOf(name: string): ModelRole {
  return MODEL_ROLES.find(role => roleName(role) === name)!;
}

/** The options of every command that knows models. */
export function addModelOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--directory <directory>', 'where models are kept')
        .env('RXSCRIBE_MODELS')
        .default(MODELS_DIRECTORY)
        .argParser(value => resolve(value)),
    )
    .addOption(
      new Option('--catalogue <file>', 'JSON file with models of your own').env('RXSCRIBE_MODEL_CATALOGUE'),
    );
}

/** Bytes in decimal units, as disks and downloads are counted. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
