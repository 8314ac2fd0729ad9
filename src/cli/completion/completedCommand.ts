import type { Argument, Command, Option } from 'commander';

/** Values that a shell can complete: files, directories, or given words. */
export type Values = 'files' | 'directories' | readonly string[];

/** A command as shells complete it. */
export interface CompletedCommand {
  readonly command: Command;
  /** Names of its parents and its own, without that of the program. */
  readonly path: readonly string[];
  readonly options: readonly Option[];
}

/** Returns a program with all commands below it. */
export function completedCommands(
  command: Command,
  path: readonly string[] = [],
): readonly CompletedCommand[] {
  const options = command.createHelp().visibleOptions(command);
  const below = command.commands.flatMap(child => completedCommands(child, [...path, child.name()]));
  return [{ command, path, options }, ...below];
}

/** Returns the flags of an option with their dashes, the long one last. */
export function namesOf({ short, long }: Option): readonly string[] {
  return [short, long].filter(name => name !== undefined);
}

/** Returns the name of the value of an option in the help; undefined for an option without a value. */
export function valueNameOf({ flags }: Option): string | undefined {
  return /<(.+)>/.exec(flags)?.[1];
}

/** Returns the values of an option or an argument that a shell can complete, by the name that a value has in the help. */
export function valuesOf(of: Option | Argument, name: string | undefined): Values | undefined {
  if (of.argChoices) return of.argChoices;
  if (/(?:^|\|)(?:file|media|path|suite|spool|log)(?:$|\|)/.test(name ?? '')) return 'files';
  return /(?:^|\|)directory(?:$|\|)|model$/.test(name ?? '') ? 'directories' : undefined;
}

/** Returns the values of the first argument that has any: scripts do not count the arguments before the cursor. */
export function firstValues({ registeredArguments }: Command): Values | undefined {
  return registeredArguments.map(each => valuesOf(each, each.name())).find(values => values !== undefined);
}
