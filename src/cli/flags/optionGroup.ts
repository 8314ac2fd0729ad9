import { type Command, Option } from 'commander';

/** An option of a command. */
export interface OptionPlan {
  readonly help: string;
  /** Parses the value and throws the rule that it breaks; for an option that may be repeated, also gets the value so far. */
  readonly parse?: (text: string, previous: never) => unknown;
  /** Permitted values. Default: any text, or what `parse` accepts. */
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** Default in words, for one that depends on something else. */
  readonly otherwise?: string;
  /** Environment variable that also sets the option. */
  readonly env?: string;
  readonly required?: boolean;
  /** Names of options that cannot be given with this one. */
  readonly conflicts?: readonly string[];
}

/** Options by their flags, such as `--rate <hz>`. A text alone is the help of an option. */
export type OptionTable = Readonly<Record<`--${string}`, OptionPlan | string>>;

/** Options under one heading of the help. */
export interface OptionGroup<Flags extends object> {
  /** Long names without dashes. */
  readonly names: readonly string[];
  add(command: Command): void;
  /**
   * Checks the values of a command line before the command runs.
   *
   * @throws InvalidArgumentError for options that do not fit together
   */
  check?(flags: Flags, command: Command): void | Promise<void>;
}

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** The name of the value of an option: `speakersCount` of `--speakers-count <number>`, `wait` of `--no-wait`. */
type NameOf<Flags> = Flags extends `${infer Long} ${string}`
  ? NameOf<Long>
  : Flags extends `--no-${infer Name}`
    ? CamelCase<Name>
    : Flags extends `--${infer Name}`
      ? CamelCase<Name>
      : never;

/** The type of the value of an option, by its plan. */
export type ParsedValue<Plan> = Plan extends { readonly parse: (...args: never) => infer Value }
  ? Value
  : Plan extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type ValueOf<Flags, Plan> = Flags extends `${string} <${string}` ? ParsedValue<Plan> : boolean;

type IsAlwaysSet<Flags, Plan> = Flags extends `--no-${string}`
  ? true
  : Plan extends { readonly required: true } | { readonly default: unknown }
    ? true
    : false;

/** The parsed values of the options of a table. */
type TableFlags<Table extends OptionTable> = {
  readonly [Flags in keyof Table as IsAlwaysSet<Flags, Table[Flags]> extends true
    ? NameOf<Flags>
    : never]: ValueOf<Flags, Table[Flags]>;
} & {
  readonly [Flags in keyof Table as IsAlwaysSet<Flags, Table[Flags]> extends true
    ? never
    : NameOf<Flags>]?: ValueOf<Flags, Table[Flags]>;
};

/** The parsed values of the options of a group, or of all groups of a list. */
export type FlagsOf<Groups> =
  Groups extends OptionGroup<infer Flags>
    ? Flags
    : Groups extends readonly [infer First, ...infer Others]
      ? FlagsOf<First> & FlagsOf<Others>
      : unknown;

/** Creates a group of options from a table; the types of their values follow from it. `heading` is that of the help, without its colon. */
export function optionGroup<const Table extends OptionTable>(
  heading: string,
  table: Table,
  check?: OptionGroup<TableFlags<Table>>['check'],
): OptionGroup<TableFlags<Table>> {
  return {
    names: Object.keys(table).map(nameOf),
    add(command) {
      command.optionsGroup(`${heading}:`);
      for (const [flags, plan] of Object.entries(table)) command.addOption(createOption(flags, plan));
    },
    check,
  };
}

/** As {@link optionGroup}, where each option also has a variable: `RXSCRIBE_` and its name, unless the table names another. */
export function variableGroup<const Table extends OptionTable>(
  heading: string,
  table: Table,
  check?: OptionGroup<TableFlags<Table>>['check'],
): OptionGroup<TableFlags<Table>> {
  const plans = Object.entries(table).map(([flags, plan]) => {
    const env = `RXSCRIBE_${nameOf(flags).toUpperCase().replaceAll('-', '_')}`;
    return [flags, typeof plan === 'string' ? { help: plan, env } : { env, ...plan }] as const;
  });
  return { ...optionGroup(heading, Object.fromEntries(plans)), check };
}

function nameOf(flags: string): string {
  return flags.slice('--'.length).replace(/ .*/, '');
}

/** Adds groups of options to a command, which runs their checks first. */
export function addOptions(command: Command, groups: readonly OptionGroup<never>[]): Command {
  for (const { add, check } of groups) {
    add(command);
    if (check) command.hook('preAction', () => check(command.opts() as never, command));
  }
  return command;
}

function createOption(flags: string, plan: OptionPlan | string): Option {
  if (typeof plan === 'string') return new Option(flags, plan);
  const option = new Option(flags, plan.help).default(plan.default, plan.otherwise);
  if (plan.choices) option.choices(plan.choices);
  if (plan.parse) option.argParser(plan.parse as (text: string, previous: unknown) => unknown);
  if (plan.env !== undefined) option.env(plan.env);
  if (plan.conflicts) option.conflicts([...plan.conflicts]);
  return option.makeOptionMandatory(plan.required ?? false);
}
