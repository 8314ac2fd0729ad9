import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { markdownTable } from 'markdown-table';
import { type TSchema, Type } from 'typebox';
import { commandPath } from '../../../src/cli/flags/contextCommand.ts';
import { COMMAND_LINE_NOTE } from '../../../src/cli/flags/optionValues.ts';
import { createProgram } from '../../../src/cli/main.ts';
import { STREAM_OPTIONS } from '../../../src/protocol/streamQuery.ts';
import { INSTRUMENTS, prometheusName } from '../../../src/service/telemetry/instruments.ts';
import { idleContext, withCommands } from '../../helpers/commandLine.ts';
import { readSourceTree } from '../../helpers/sourceTree.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

/** Absolute paths of every README of the project. */
export const DOCUMENTS: readonly string[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => /(^|\/)README\.md$/.test(path))
  .map(path => join(ROOT, path));

const SECTION = /(<!-- (options|members|metrics|query|commands) of: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/**
 * Returns a document with its tables made anew: the options of a command below `<!-- options of: COMMAND -->`, the
 * members of an interface below `<!-- members of: NAME -->`, the options of a stream below `<!-- query of: stream -->`,
 * the metrics below `<!-- metrics of: serve -->`, the commands below `<!-- commands of: rxscribe -->`, each up to
 * `<!-- end -->`.
 *
 * @throws Error when there is no such command or interface
 */
export function withTables(markdown: string): string {
  return markdown.replace(SECTION, (_, start: string, kind: string, name: string, end: string) => {
    const table = TABLES[kind as keyof typeof TABLES](name);
    return `${start}\n${table}\n\n${end}`;
  });
}

const TABLES = {
  options: commandTable,
  members: interfaceTable,
  metrics: metricsTable,
  query: queryTable,
  commands: commandsTable,
};

function commandsTable(): string {
  const commands = withCommands(createProgram(idleContext())).filter(
    command => command.commands.length === 0 && command.parent,
  );
  return tableOf(
    ['Command', 'Meaning'],
    commands.map(command => [code(commandPath(command)), command.description()]),
  );
}

function commandTable(name: string): string {
  const command = name
    .split(' ')
    .reduce<Command | undefined>(
      (parent, part) => parent?.commands.find(child => child.name() === part),
      createProgram(idleContext()),
    );
  if (!command) throw new Error(`There is no command '${name}'.`);
  const options = command.createHelp().visibleOptions(command);
  return tableOf(
    ['Option', 'Default', 'Meaning'],
    options
      .filter(option => option.long !== '--help')
      .map(option => [code(option.flags), defaultOf(option), meaningOf(option)]),
  );
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValueDescription) return defaultValueDescription;
  const text = String(defaultValue ?? '').replace(homedir(), '~');
  return text === '' || text === 'false' ? '' : code(text);
}

function meaningOf({ description, argChoices, envVar }: Option): string {
  const choices = argChoices ? `: ${argChoices.map(code).join(', ')}` : '';
  return `${description.replace(`; ${COMMAND_LINE_NOTE}`, '')}${choices}${envVar ? ` (${code(envVar)})` : ''}`;
}

const MEMBER = /(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}readonly ([\w$]+)(\??): ([\s\S]*?);$/gm;

function metricsTable(): string {
  const byName = Object.values(INSTRUMENTS).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const rows = byName.map(metric => [
    code(prometheusName(metric)),
    Object.keys(metric.attributes)
      .map(name => code(name.replaceAll('.', '_')))
      .join(', '),
    metric.description,
  ]);
  return tableOf(['Metric', 'Labels', 'Meaning'], rows);
}

function interfaceTable(name: string): string {
  const heading = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm');
  const [, body] = readSourceTree().flatMap(({ text }) => heading.exec(text) ?? []);
  if (body === undefined) throw new Error(`There is no interface '${name}'.`);
  const members = [...body.matchAll(MEMBER)].map(([, comment = '', member, optional, type]) => [
    code(`${member}${optional}`),
    code(type!.replace(/\s+/g, ' ').replace(/^\| /, '')),
    comment
      .replace(/^\s*\* ?/gm, '')
      .replace(/\{@link ([^}]*)\}/g, '`$1`')
      .replace(/\s+/g, ' ')
      .trim(),
  ]);
  return tableOf(['Member', 'Type', 'Meaning'], members);
}

/** Returns the options of a stream, with the comments on their schemas. */
function queryTable(): string {
  const { text } = readSourceTree().find(({ path }) => path === 'protocol/streamQuery.ts')!;
  const rows = Object.entries(STREAM_OPTIONS).map(([name, schema]) => {
    const [, meaning] = new RegExp(`/\\*\\* (.*) \\*/\\n {2}${name}: `).exec(text) ?? [];
    if (meaning === undefined) throw new Error(`The option '${name}' has no docstring.`);
    return [code(`${name}?`), code(typeName(schema)), meaning];
  });
  return tableOf(['Member', 'Type', 'Meaning'], rows);
}

function typeName(schema: TSchema): string {
  if (Type.IsArray(schema)) return 'readonly Vocabulary[]';
  if (Type.IsBoolean(schema)) return 'boolean';
  return Type.IsString(schema) ? 'string' : 'number';
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable([head, ...rows], { alignDelimiters: false, padding: true });
}

/** In a table, also code must not hold a bare `|`. */
function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
