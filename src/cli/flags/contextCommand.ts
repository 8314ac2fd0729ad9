import type { EventEmitter } from 'node:events';
import { Command, type ErrorOptions } from 'commander';
import type { Context } from '../context.ts';

/** A command whose input, output and environment are those of a context instead of the process. */
export class ContextCommand extends Command {
  readonly context: Context;

  constructor(name: string, context: Context) {
    super(name);
    this.context = context;
  }

  override createCommand(name: string): ContextCommand {
    return new ContextCommand(name, this.context);
  }

  /** Commander's own method of this name reads `process.env`. */
  _parseOptionsEnv(): void {
    const { env } = this.context;
    for (const option of this.options) {
      const { envVar = '' } = option;
      const value = env[envVar];
      if (value === undefined || this.getOptionValueSource(option.attributeName()) === 'cli') continue;
      const takesValue = option.required || option.optional;
      // A file of variables often has empty values for unused options; but an empty secret must not switch off its check.
      if (takesValue && value === '' && !envVar.endsWith('_SECRET')) continue;
      // The types of commander leave out that a command is an EventEmitter.
      (this as unknown as EventEmitter).emit(`optionEnv:${option.name()}`, ...(takesValue ? [value] : []));
    }
  }

  /** Adds the command that prints the help. */
  override error(message: string, options?: ErrorOptions): never {
    const stop = message.endsWith('.') || message.endsWith(')') ? '' : '.';
    return super.error(`${message}${stop} See '${commandPath(this)} --help'.`, options);
  }
}

/** Returns the name of a command after those of its parents, such as `rxscribe job get`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

/** Returns whether an option was given on the command line. Variables do not count, as they are for all commands. */
export function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === 'cli';
}

/** Returns words as a list, such as `srt, vtt or json`. */
export function orList(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
