import { type Command, InvalidArgumentError, Option } from 'commander';
import { ENGINE_NAMES, type EngineName, type ModelRole } from '../../base/models.ts';
import { GROUP } from '../help/groups.ts';
import { orList } from './contextCommand.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';

/** A model of the command line. */
export interface ModelChoice {
  /** Default: every role that the model has. */
  readonly role?: ModelRole;
  /** Name in the catalogue, or a directory. */
  readonly model: string;
}

/** Engines of a service inside this process. */
export interface EngineFlags {
  readonly engine?: EngineName;
  readonly model?: readonly ModelChoice[];
  /** Seconds. */
  readonly pause?: number;
}

export interface EngineOptionsPlan {
  /** The options also have variables, for a command that runs for long. Default false. */
  readonly fromEnvironment?: boolean;
  /** The command recognises speech, and so takes the options of a recogniser. Default true. */
  readonly recognizes?: boolean;
}

/** Adds the options of every command that runs a service inside this process. */
export function addEngineOptions(
  command: Command,
  { fromEnvironment = false, recognizes = true }: EngineOptionsPlan = {},
): Command {
  command.optionsGroup(fromEnvironment ? GROUP.engines : GROUP.ownEngines);
  const add = (flags: string, variable: string, description: string, otherwise: string) => {
    const option = new Option(flags, description).default(undefined, otherwise);
    command.addOption(option);
    return fromEnvironment ? option.env(`RXSCRIBE_${variable}`) : option;
  };
  add(
    '--model <[role=]model>',
    'MODEL',
    'name or directory of a model; several separated by commas, or repeated',
    "those of 'rxscribe model use'",
  ).argParser(collectModels);
  if (!recognizes) return command;
  add('--engine <name>', 'ENGINE', 'recogniser', 'that of the model').choices(ENGINE_NAMES);
  add('--pause <seconds>', 'PAUSE', 'silence that ends an utterance, 0.1 to 5', '0.5').argParser(
    pauseSeconds,
  );
  return command;
}

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

function pauseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0.1 && value <= 5) return value;
  throw new InvalidArgumentError('must be a number of seconds from 0.1 to 5');
}
