import { Argument, type Command } from 'commander';
import type { Context } from '../context.ts';
import { examples, notes } from '../help/format.ts';
import { ContextCommand } from './contextCommand.ts';
import {
  addOptions,
  type FlagsOf,
  type OptionGroup,
  type OptionPlan,
  type ParsedValue,
} from './optionGroup.ts';

/** An argument by its name in the help, such as `<media>`, `[file]` or `<id...>`. A text alone is its help. */
export type ArgumentPlan = readonly [
  name: `<${string}>` | `[${string}]`,
  plan: string | Pick<OptionPlan, 'help' | 'parse' | 'choices' | 'default'>,
];

type ArgumentOf<Plan> = Plan extends readonly [infer Name, infer Details]
  ? Name extends `${string}...${string}`
    ? readonly string[]
    : Name extends `<${string}`
      ? ParsedValue<Details>
      : ParsedValue<Details> | (Details extends { readonly default: unknown } ? never : undefined)
  : never;

/** The parsed values of arguments. */
export type ArgumentsOf<Arguments> = { readonly [Index in keyof Arguments]: ArgumentOf<Arguments[Index]> };

/** One run of a command: its arguments and flags, and its context. */
export interface Invocation<Arguments, Flags> {
  readonly args: Arguments;
  readonly flags: Flags;
  readonly context: Context;
  readonly command: Command;
}

/** Texts of a command. */
interface CommandText {
  readonly name: string;
  readonly description: string;
  /** Command lines that work, for the help. */
  readonly examples: readonly string[];
  /** Paragraphs below the options in the help. */
  readonly notes?: string;
}

/** A command: from its declaration follow the help, and the types and checks of its flags. */
export interface CommandPlan<
  Arguments extends readonly ArgumentPlan[],
  Groups extends readonly OptionGroup<never>[],
> extends CommandText {
  readonly arguments?: Arguments;
  readonly options?: Groups;
  /** Exit codes with their meanings, the last paragraph of the help. */
  readonly exitCodes: string;
  /** Changes the values of options before they are checked. */
  prepare?(command: Command): Promise<void>;
  run(invocation: Invocation<ArgumentsOf<Arguments>, FlagsOf<Groups>>): void | Promise<void>;
}

/** Creates a command for a context. */
export type CommandFactory = (context: Context) => Command;

/** Declares a command. */
export function defineCommand<
  const Arguments extends readonly ArgumentPlan[] = [],
  const Groups extends readonly OptionGroup<never>[] = [],
>(plan: CommandPlan<Arguments, Groups>): CommandFactory {
  return context => {
    const command = described(plan, context).addHelpText('after', notes(plan.exitCodes));
    for (const [name, details] of plan.arguments ?? []) command.addArgument(createArgument(name, details));
    if (plan.prepare) command.hook('preAction', plan.prepare);
    return addOptions(command, plan.options ?? []).action(() =>
      plan.run({ args: command.processedArgs as never, flags: command.opts() as never, context, command }),
    );
  };
}

/** Declares a command that only has commands of its own. */
export function defineCommands(
  plan: CommandText & { readonly commands: readonly CommandFactory[] },
): CommandFactory {
  return context => {
    const command = described(plan, context);
    for (const create of plan.commands) command.addCommand(create(context));
    return command;
  };
}

function described(plan: CommandText, context: Context): Command {
  const command = new ContextCommand(plan.name, context)
    .description(plan.description)
    .addHelpText('after', examples(plan.examples));
  return plan.notes === undefined ? command : command.addHelpText('after', notes(plan.notes));
}

function createArgument(name: string, plan: ArgumentPlan[1]): Argument {
  if (typeof plan === 'string') return new Argument(name, plan);
  const argument = new Argument(name, plan.help).default(plan.default);
  if (plan.choices) argument.choices(plan.choices);
  if (plan.parse) argument.argParser(plan.parse as (text: string, previous: unknown) => unknown);
  return argument;
}
