import { InvalidArgumentError } from 'commander';
import { ENGINE_NAMES } from '../../base/models.ts';
import type { ModelChoice } from '../provided.ts';
import { orList } from './contextCommand.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';
import { type FlagsOf, optionGroup, variableGroup } from './optionGroup.ts';
import { secondsFrom } from './optionValues.ts';

const ENGINES = {
  '--model <[role=]model>': {
    help: 'name or directory of a model; several separated by commas, or repeated',
    parse: collectModels,
    otherwise: "those of 'rxscribe model use'",
  },
  '--engine <name>': { help: 'recogniser', choices: ENGINE_NAMES, otherwise: 'that of the model' },
  '--pause <seconds>': {
    help: 'silence that ends an utterance, 0.1 to 5',
    parse: secondsFrom(0.1, 5),
    otherwise: '0.5',
  },
} as const;

/** Options of every command that runs a service inside this process. */
export const ENGINE_OPTIONS = optionGroup('Engines of the embedded service', ENGINES);

/** The same options, also read from variables, for a command that runs for long. */
export const SERVE_ENGINE_OPTIONS = variableGroup('Engines', ENGINES);

/** Engines of a service inside this process. */
export type EngineFlags = FlagsOf<typeof ENGINE_OPTIONS>;

function collectModels(text: string, previous: readonly ModelChoice[] = []): readonly ModelChoice[] {
  return [...previous, ...text.split(',').map(modelChoice)];
}

function modelChoice(text: string): ModelChoice {
  const [, role, model] = /^(?:([a-z-]+)=)?(.+)$/.exec(text) ?? [];
  if (!model) throw new InvalidArgumentError('Must be a name or a directory');
  if (role === undefined) return { model };
  if (!ROLE_NAMES.includes(role)) {
    throw new InvalidArgumentError(`Must have ${orList(ROLE_NAMES)} before '='`);
  }
  return { role: roleOf(role), model };
}
