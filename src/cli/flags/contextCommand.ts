import type { EventEmitter } from 'node:events';
import { Command, type ErrorOptions } from 'commander';
import type { Context } from '../context.ts';

/** A command that reads, writes and takes its options' variables through a context instead of the process. */
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
      const value = option.envVar === undefined ? undefined : env[option.envVar];
      if (value === undefined || this.getOptionValueSource(option.attributeName()) === 'cli') continue;
      const takesValue = option.required || option.optional;
      // A file of variables often has empty ones for what is not used; but an empty secret must not switch off its check.
      if (takesValue && value === '' && !option.envVar!.endsWith('_SECRET')) continue;
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

/** Returns the name of a command behind those of its parents, such as `rxscribe job get`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}

/** True when an option was given on the command line, not by the environment, which serves other commands too. */
export function isGiven(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === 'cli';
}

type Rewrite = readonly [pattern: RegExp, sentence: (...groups: string[]) => string];

/** Messages of commander, each with the sentence that replaces it. */
const REWRITES: readonly Rewrite[] = [
  [
    /^option '(.+?)' (?:argument|value) '(.*)'(?: from env '(.+)')? is invalid\. (.*)$/s,
    (flags, value, variable, rule) =>
      `${variable ?? longFlag(flags!)} ${requirement(rule!)}, not '${value}'.`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+)'\. (.*)$/s,
    (value, name, rule) => `<${name}> ${requirement(rule!)}, not '${value}'.`,
  ],
  [/^missing required argument '(.+)'$/, name => `<${name}> is missing.`],
  [/^option '(.+)' argument missing$/, flags => `${longFlag(flags!)} requires a value.`],
  [
    /^option '(.+)' cannot be used with option '(.+)'$/,
    (one, other) => `${longFlag(one!)} cannot be used with ${longFlag(other!)}.`,
  ],
  [/^required option '(.+)' not specified$/, flags => `${longFlag(flags!)} is missing.`],
  [
    /^unknown (\w+) '(.+?)'(?:\n\(Did you mean (.+)\?\))?$/,
    (kind, name, guess) => `Unknown ${kind} '${name}'.${guess ? ` Did you mean ${guess}?` : ''}`,
  ],
  [
    /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    (most, found) => `Too many arguments (at most ${most}, found ${found}).`,
  ],
];

/** Returns a message of commander as a sentence that names the problem. */
export function usageSentence(message: string): string {
  const plain = message.replace(/^error: /, '');
  for (const [pattern, sentence] of REWRITES) {
    const match = pattern.exec(plain);
    if (match) return sentence(...match.slice(1));
  }
  return plain;
}

/** `--rate` of `-r, --rate <hz>`. */
function longFlag(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** Returns words as a list, such as `srt, vtt or json`. */
export function orList(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

function requirement(rule: string): string {
  const [, choices] = /^Allowed choices are (.+)\.$/.exec(rule) ?? [];
  return choices === undefined ? rule : `must be ${orList(choices.split(', '))}`;
}
