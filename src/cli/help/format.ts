import { homedir } from 'node:os';
import { styleText } from 'node:util';
import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { wrapCommandLine, wrapParagraphs, wrapWords } from './wrap.ts';

/** Columns of an output that is not a terminal. */
export const DEFAULT_WIDTH = 80;
/** Least columns of descriptions beside their terms; in a narrower terminal they stand below. */
const MIN_DESCRIPTION_WIDTH = 36;
const INDENT = '  ';

/** Help format of all commands: options in groups, then examples, with no line wider than the terminal. */
export const HELP_FORMAT: HelpConfiguration = {
  minWidthToWrap: 1,
  commandUsage,
  formatItem,
  optionDescription,
  argumentDescription,
  styleTitle: title => styleText('bold', title),
  subcommandTerm,
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

function commandUsage(this: Help, command: Command): string {
  const usage = Help.prototype.commandUsage.call(this, command);
  return wrapWords(usage, (this.helpWidth ?? DEFAULT_WIDTH) - 'Usage: '.length, INDENT).join('\n');
}

function formatItem(term: string, termWidth: number, description: string, { helpWidth }: Help): string {
  const width = helpWidth ?? DEFAULT_WIDTH;
  const start = INDENT.length + termWidth + INDENT.length;
  if (width - start >= MIN_DESCRIPTION_WIDTH) {
    const lines = wrapWords(description, width - start);
    return `${INDENT}${term.padEnd(termWidth)}${INDENT}${lines.join(`\n${' '.repeat(start)}`)}`.trimEnd();
  }
  const below = INDENT + INDENT;
  return [
    ...wrapWords(term, width - INDENT.length).map(line => INDENT + line),
    ...wrapWords(description, width - below.length).map(line => below + line),
  ].join('\n');
}

/** Returns a command with its arguments. Every command has options, so they are left out. */
function subcommandTerm(this: Help, command: Command): string {
  return Help.prototype.subcommandTerm.call(this, command).replace(' [options]', '');
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
