import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandPath } from '../../src/cli/flags/contextCommand.ts';
import { createProgram } from '../../src/cli/main.ts';
import { DOCUMENTS } from '../generate/docs/optionTables.ts';
import { idleContext, withCommands } from '../helpers/commandLine.ts';

const GENERAL_TESTS = /(guards|golden|usage|processes|start)\.test\.ts$/;

const all = withCommands(createProgram(idleContext()));
const working = all.filter(({ commands }) => commands.length === 0);
const readmes = DOCUMENTS.map(path => readFileSync(path, 'utf8')).join('\n');
const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.test.ts') && !GENERAL_TESTS.test(path))
  .map(path => readFileSync(join(import.meta.dirname, path), 'utf8'));

/** Commands that lack something, each with what cures it. */
function lacking(commands: readonly Command[], has: (command: Command) => boolean, cure: string) {
  return commands.filter(command => !has(command)).map(command => `${commandPath(command)}: ${cure}`);
}

describe('every command', () => {
  test('has a test', () => {
    const isTested = (command: Command) => {
      const [, ...words] = commandPath(command).split(' ');
      return tests.some(text => words.every(word => text.includes(`'${word}'`)));
    };
    expect(lacking(working, isTested, 'add a test that runs it to test/cli/commands/')).toEqual([]);
  });

  test('has its options under headings of their own', () => {
    const isGrouped = ({ options }: Command) =>
      options.every(({ helpGroupHeading }) => helpGroupHeading !== undefined);
    const cure = "add its options by optionGroup('HEADING', { … }) of src/cli/flags/optionGroup.ts";
    expect(lacking(working, isGrouped, cure)).toEqual([]);
  });

  test('has exit codes in its help', () => {
    const hasCodes = (command: Command) => {
      let help = '';
      command.configureOutput({ writeOut: text => (help += text), getOutHelpWidth: () => 10_000 });
      command.outputHelp();
      return /Exit codes: 0 /.test(help);
    };
    expect(lacking(working, hasCodes, "add `exitCodes: 'Exit codes: 0 …'` to its declaration")).toEqual([]);
  });

  test('has a line in a README', () => {
    const hasLine = (command: Command) => readmes.includes(`\`${commandPath(command)}\``);
    expect(lacking(working, hasLine, 'run `npm run docs`')).toEqual([]);
  });
});
