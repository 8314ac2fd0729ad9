import type { Argument, Command, Option } from 'commander';

/** Values that can be completed: files, directories, or these words. Of others a shell knows nothing. */
export type Values = 'files' | 'directories' | readonly string[];

export interface CompletedOption {
  /** With their dashes, the long one last. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined of an option that takes none. */
  readonly value?: CompletedValue;
  readonly isRepeatable: boolean;
}

export interface CompletedValue {
  /** As the help calls it. */
  readonly name: string;
  readonly values?: Values;
}

/** A command as shells complete it, with its own commands. */
export interface CompletedCommand {
  readonly name: string;
  /** The names of the commands it belongs to and its own, without that of the program. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly (CompletedValue & { readonly isVariadic: boolean })[];
  readonly commands: readonly CompletedCommand[];
}

/** Returns what a shell is to know of a command. */
export function completedCommand(command: Command, path: readonly string[] = []): CompletedCommand {
  const help = command.createHelp();
  return {
    name: command.name(),
    path,
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map(completedArgument),
    commands: command.commands.map(child => completedCommand(child, [...path, child.name()])),
  };
}

/** Returns the values of the first argument that has any: of words before a cursor it is not clear which they are. */
export function firstValues(all: CompletedCommand['arguments']): Values | undefined {
  return all.find(({ values }) => values !== undefined)?.values;
}

/** A command and all below it. */
export function withCommands(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

function completedOption(option: Option): CompletedOption {
  const { short, long, flags, argChoices, description, variadic } = option;
  const [, name] = /<(.+)>/.exec(flags) ?? [];
  return {
    names: [short, long].filter(each => each !== undefined),
    description,
    ...(name !== undefined && { value: { name, values: argChoices ?? valuesOf(name) } }),
    isRepeatable: variadic || description.includes('repeated'),
  };
}

function completedArgument(argument: Argument): CompletedCommand['arguments'][number] {
  const name = argument.name();
  return { name, values: argument.argChoices ?? valuesOf(name), isVariadic: argument.variadic };
}

/** By the name that the help has for a value. */
function valuesOf(name: string): Values | undefined {
  if (/(?:^|\|)(?:file|media|path|suite|spool|log)(?:$|\|)/.test(name)) return 'files';
  return /(?:^|\|)directory(?:$|\|)|model$/.test(name) ? 'directories' : undefined;
}
