import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ModelRole } from '../../base/models.ts';
import { GROUP } from '../help/groups.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';

/** The recognisers that `--engine` can name. */
export const ENGINE_NAMES = ['moonshine', 'sherpa-onnx'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** A model as it was named, and what it is to be used for: without that, for all that it can do. */
export interface ModelChoice {
  readonly role?: ModelRole;
  /** Of the catalogue, or a directory. */
  readonly model: string;
}

/** By what a service of one's own understands speech. */
export interface EngineFlags {
  readonly engine?: EngineName;
  readonly model?: readonly ModelChoice[];
  /** Seconds. */
  readonly pause?: number;
}

export interface EngineOptionsPlan {
  /** Options of the environment, too: for what runs long. Default false. */
  readonly fromEnvironment?: boolean;
  /** It recognises speech; otherwise it needs no recogniser. Default true. */
  readonly recognizes?: boolean;
}

/** The options of every command that runs a service of its own. */
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
    'name or directory of a model; several parted by commas, or repeated',
    "those of 'rxscribe model use'",
  ).argParser(collectModels);
  if (!recognizes) return command;
  add('--engine <name>', 'ENGINE', 'recogniser', 'that of the model')
    .choices(ENGINE_NAMES)
    .argParser(engineName);
  add('--pause <seconds>', 'PAUSE', 'silence that ends an utterance, 0.1 to 5', '0.5').argParser(
    pauseSeconds,
  );
  return command;
}

function engineName(text: string): EngineName {
  const name = ENGINE_NAMES.find(known => known === text);
  if (name) return name;
  const why = text === 'pocketsphinx' ? 'pocketsphinx was replaced by moonshine; ' : '';
  throw new InvalidArgumentError(`${why}expected one of ${ENGINE_NAMES.join(', ')}`);
}

/** Several at once are parted by commas, as in the environment. */
function collectModels(text: string, previous: readonly ModelChoice[] = []): readonly ModelChoice[] {
  return [...previous, ...text.split(',').map(modelChoice)];
}

function modelChoice(text: string): ModelChoice {
  const [, role, model] = /^(?:([a-z-]+)=)?(.+)$/.exec(text) ?? [];
  if (!model) throw new InvalidArgumentError('expected a name or a directory');
  if (role === undefined) return { model };
  if (!ROLE_NAMES.includes(role)) {
    throw new InvalidArgumentError(`expected one of ${ROLE_NAMES.join(', ')} before =`);
  }
  return { role: roleOf(role), model };
}

function pauseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0.1 && value <= 5) return value;
  throw new InvalidArgumentError('expected seconds, 0.1 to 5');
}
