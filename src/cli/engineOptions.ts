import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ModelRole } from '../engines/models/modelDirectory.ts';
import { ROLE_NAMES, roleOf } from './modelOptions.ts';

/** The recognisers that `--engine` can name. */
export const ENGINE_NAMES = ['pocketsphinx', 'sherpa-onnx'] as const;
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
  /** Options of the environment, too: for what runs long. */
  readonly fromEnvironment: boolean;
}

/** The options of every command that runs a service of its own. */
export function addEngineOptions(command: Command, { fromEnvironment }: EngineOptionsPlan): Command {
  const option = (flags: string, description: string, variable: string) => {
    const made = new Option(flags, description);
    return fromEnvironment ? made.env(`RXSCRIBE_${variable}`) : made;
  };
  return command
    .addOption(
      option('--engine <name>', 'recogniser (default: that of the model)', 'ENGINE').choices(ENGINE_NAMES),
    )
    .addOption(
      option(
        '--model <[role=]model>',
        "name or directory of a model; may be repeated (default: those of 'rxscribe model use')",
        'MODEL',
      ).argParser(collectModels),
    )
    .addOption(
      option('--pause <seconds>', 'silence that ends an utterance', 'PAUSE').argParser(pauseSeconds),
    );
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
