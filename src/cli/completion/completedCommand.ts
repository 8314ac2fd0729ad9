import type { Argument, Command, Option } from 'commander';

/** Values that a shell can complete: files, directories, or given words. */
export type Values = 'files' | 'directories' | readonly string[];

export interface CompletedOption {
  /** Flags with their dashes, the long one last. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value?: CompletedValue;
  readonly isRepeatable: boolean;
}

export interface CompletedValue {
  /** Name in the help. */
  readonly name: string;
  readonly values?: Values;
}

/** A command as shells complete it, with its subcommands. */
export interface CompletedCommand {
  readonly name: string;
  /** Names of its parents and its own, without that of the program. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly (CompletedValue & { readonly isVariadic: boolean })[];
  readonly commands: readonly CompletedCommand[];
}

/** Returns a command as shells complete it. */
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

/** Returns the values of the first argument that has any: scripts do not count the arguments before the cursor. */
export function firstValues(all: CompletedCommand['arguments']): Values | undefined {
  return all.find(({ values }) => values !== undefined)?.values;
}

/** Returns a command with all below it. */
export function withCommands(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(withCommands)];
}

function completedOption(option: Option): CompletedOption {
  const { short, long, flags, argChoices, description, variadic } = option;
  const [, name] = /<(.+)>/.exec(flags) ?? [];
  return {
    names: [short, long].filter(each => each !== undefined),
    description,
    value: name === undefined ? undefined : { name, values: argChoices ?? valuesOf(name) },
    isRepeatable: variadic || description.includes('repeated'),
  };
}

function completedArgument(argument: Argument): CompletedCommand['arguments'][number] {
  const name = argument.name();
  return { name, values: argument.argChoices ?? valuesOf(name), isVariadic: argument.variadic };
}

/** Returns the values that the name of a value in the help implies. */
function valuesOf(name: string): Values | undefined {
  if (/(?:^|\|)(?:file|media|path|suite|spool|log)(?:$|\|)/.test(name)) return 'files';
  return /(?:^|\|)directory(?:$|\|)|model$/.test(name) ? 'directories' : undefined;
}
