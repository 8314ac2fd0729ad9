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

  /** Reports wrong usage in whole sentences, with the command that prints the help. */
  override error(message: string, options?: ErrorOptions): never {
    const help = `See '${commandPath(this)} --help'.`;
    return super.error(`error: ${usageSentence(message)} ${help}`, options);
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

/** Messages of commander, each with the sentence that replaces it. */
const REWRITES: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^option \S+ value '(.*)' from env '(.+)' is invalid\. (.*)$/s, "$2 $3, not '$1'."],
  [/^option (\S+) argument '(.*)' is invalid\. (.*)$/s, "$1 $3, not '$2'."],
  [/^command-argument value '(.*)' is invalid for argument '(.+)'\. (.*)$/s, "<$2> $3, not '$1'."],
  [/^missing required argument '(.+)'$/, '<$1> is missing.'],
  [/^option (\S+) argument missing$/, '$1 requires a value.'],
  [/^option (\S+) cannot be used with option (\S+)$/, '$1 cannot be used with $2.'],
  [/^required option (\S+) not specified$/, '$1 is missing.'],
  [/^unknown (\w+) '(.+?)'\n\(Did you mean (.+)\?\)$/, "Unknown $1 '$2'. Did you mean $3?"],
  [/^unknown (\w+) '(.+?)'$/, "Unknown $1 '$2'."],
  [
    /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    'Too many arguments (at most $1, found $2).',
  ],
];

/** Returns a message of commander as a sentence that names the problem. */
function usageSentence(message: string): string {
  const plain = message
    .replace(/^error: /, '')
    // `option --rate` of `option '-r, --rate <hz>'`.
    .replaceAll(/(?<!unknown )option '(?:-\w, )?(--[\w-]+)[^']*'/g, 'option $1')
    .replace(/Allowed choices are (.+)\.$/, (_, choices) => `must be ${orList(choices.split(', '))}`);
  const rewrite = REWRITES.find(([pattern]) => pattern.test(plain));
  return rewrite ? plain.replace(...rewrite) : plain;
}

/** Returns words as a list, such as `srt, vtt or json`. */
export function orList(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
