import { InvalidArgumentError } from 'commander';
import { ENGINE_NAMES, type ModelRole } from '../../base/models.ts';
import { orList } from './contextCommand.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';
import { type FlagsOf, optionGroup, variableGroup } from './optionGroup.ts';
import { secondsFrom } from './optionValues.ts';

/** A model of the command line. */
export interface ModelChoice {
  /** Default: every role that the model has. */
  readonly role?: ModelRole;
  /** Name in the catalogue, or a directory. */
  readonly model: string;
}

const MODEL = {
  '--model <[role=]model>': {
    help: 'name or directory of a model; several separated by commas, or repeated',
    parse: collectModels,
    otherwise: "those of 'rxscribe model use'",
  },
} as const;

const ENGINES = {
  ...MODEL,
  '--engine <name>': { help: 'recogniser', choices: ENGINE_NAMES, otherwise: 'that of the model' },
  '--pause <seconds>': {
    help: 'silence that ends an utterance, 0.1 to 5',
    parse: secondsFrom(0.1, 5),
    otherwise: '0.5',
  },
} as const;

/** Options of every command that runs a service inside this process. */
export const ENGINE_OPTIONS = optionGroup('Engines of the embedded service', ENGINES);

/** The engine options of a command without a recogniser. */
export const MODEL_OPTION = optionGroup('Engines of the embedded service', MODEL);

/** The same options, also read from variables, for a command that runs for long. */
export const SERVE_ENGINE_OPTIONS = variableGroup('Engines', ENGINES);

/** Engines of a service inside this process. */
export type EngineFlags = FlagsOf<typeof ENGINE_OPTIONS>;

function collectModels(text: string, previous: readonly ModelChoice[] = []): readonly ModelChoice[] {
  return [...previous, ...text.split(',').map(modelChoice)];
}

function modelChoice(text: string): ModelChoice {
  const [, role, model] = /^(?:([a-z-]+)=)?(.+)$/.exec(text) ?? [];
  if (!model) throw new InvalidArgumentError('must be a name or a directory');
  if (role === undefined) return { model };
  if (!ROLE_NAMES.includes(role)) {
    throw new InvalidArgumentError(`must have ${orList(ROLE_NAMES)} before '='`);
  }
  return { role: roleOf(role), model };
}
