import { homedir } from 'node:os';
import { styleText } from 'node:util';
import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';
import { wrapCommandLine, wrapParagraphs, wrapWords } from './wrap.ts';

/** Columns of an output that is not a terminal. */
export const DEFAULT_WIDTH = 80;
/** Least columns of descriptions beside their terms; in a narrower terminal they stand below. */
const MIN_DESCRIPTION_WIDTH = 36;
const INDENT = '  ';

/** Help format of all commands: options in groups, then examples, with no line wider than the terminal. */
export const HELP_FORMAT: HelpConfiguration = {
  formatHelp,
  optionDescription,
  argumentDescription,
  styleTitle: title => styleText('bold', title),
  subcommandTerm: command => [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
};

/** A text below the help of a command. */
type TextBelow = (context: { readonly command: Command }) => string;

/** Returns paragraphs below the help of a command, wrapped by {@link wrapParagraphs}. */
export function notes(text: string): TextBelow {
  return ({ command }) => `\n${wrapParagraphs(text.trim(), widthOf(command))}`;
}

/** Returns command lines below the help of a command, wrapped so that they can be pasted. */
export function examples(all: readonly string[]): TextBelow {
  return ({ command }) => {
    const lines = all.flatMap(example => wrapCommandLine(example, widthOf(command) - INDENT.length));
    return ['', styleText('bold', 'Examples:'), ...lines.map(line => INDENT + line)].join('\n');
  };
}

function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH;
}

interface Item {
  readonly term: string;
  readonly description: string;
}

function formatHelp(command: Command, help: Help): string {
  const width = help.helpWidth ?? DEFAULT_WIDTH;
  const sections = sectionsOf(command, help);
  const layout = {
    width,
    termWidth: Math.max(...[...sections.values()].flat().map(({ term }) => term.length)),
  };
  const shown = [...sections].map(([title, items]) => [
    help.styleTitle(title),
    ...items.flatMap(item => itemLines(item, layout)),
  ]);
  const usage = wrapWords(`${help.commandUsage(command)}`, width - 'Usage: '.length, INDENT);
  return `${[
    usage.map((line, index) => (index === 0 ? `${help.styleTitle('Usage:')} ${line}` : line)),
    wrapWords(help.commandDescription(command), width),
    ...shown,
  ]
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Returns arguments, commands and options under their headings; those of the same heading stand together. */
function sectionsOf(command: Command, help: Help): ReadonlyMap<string, readonly Item[]> {
  const sections = new Map<string, Item[]>();
  const add = (title: string, term: string, description: string) => {
    sections.set(title, [...(sections.get(title) ?? []), { term, description }]);
  };
  for (const argument of help.visibleArguments(command)) {
    add('Arguments:', help.argumentTerm(argument), help.argumentDescription(argument));
  }
  for (const child of help.visibleCommands(command)) {
    add(child.helpGroup() || 'Commands:', help.subcommandTerm(child), help.subcommandDescription(child));
  }
  for (const option of help.visibleOptions(command)) {
    add(option.helpGroupHeading ?? 'Options:', help.optionTerm(option), help.optionDescription(option));
  }
  return sections;
}

interface Layout {
  readonly width: number;
  readonly termWidth: number;
}

/** Returns a term with its description beside it where there is room, else below it. */
function itemLines({ term, description }: Item, { width, termWidth }: Layout): readonly string[] {
  const start = INDENT.length + termWidth + INDENT.length;
  if (width - start >= MIN_DESCRIPTION_WIDTH) {
    const [first = '', ...rest] = wrapWords(description, width - start);
    return [
      `${INDENT}${term.padEnd(termWidth)}${INDENT}${first}`.trimEnd(),
      ...rest.map(line => ' '.repeat(start) + line),
    ];
  }
  const below = INDENT + INDENT;
  return [
    ...wrapWords(term, width - INDENT.length).map(line => INDENT + line),
    ...wrapWords(description, width - below.length).map(line => below + line),
  ];
}

function argumentText(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentDescription({ description, argChoices }: Argument): string {
  return description + choicesText(argChoices);
}

function choicesText(choices: readonly string[] | undefined): string {
  return choices ? `: ${choices.join(', ')}` : '';
}

function optionDescription(option: Option): string {
  const { argChoices, defaultValue, defaultValueDescription, envVar } = option;
  const shown = defaultValueDescription ?? (option.isBoolean() ? '' : shownValue(defaultValue));
  const more = [
    ...(shown === '' ? [] : [`default: ${shown}`]),
    ...(envVar === undefined ? [] : [`env: ${envVar}`]),
  ];
  return option.description + choicesText(argChoices) + (more.length > 0 ? ` (${more.join(', ')})` : '');
}

/** Returns a value with `~` for the home directory. */
function shownValue(value: unknown): string {
  const text = String(value ?? '');
  const home = `${homedir()}/`;
  return text.startsWith(home) ? `~/${text.slice(home.length)}` : text;
}
