import type { Command } from 'commander';

/** Returns the name of a command behind those of its parents, such as `rxscribe job get`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
