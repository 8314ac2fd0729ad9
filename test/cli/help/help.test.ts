import { describe, expect, test } from 'vitest';
import { commandPath } from '../../../src/cli/flags/contextCommand.ts';
import { createProgram } from '../../../src/cli/main.ts';
import { textWidth } from '../../../src/transcript/text/textWidth.ts';
import { idleContext, withCommands } from '../../helpers/commandLine.ts';

/** Returns each command with its help in a terminal of the given width. */
function helpAt(columns: number): readonly { readonly path: string; readonly help: string }[] {
  let help = '';
  const program = createProgram(idleContext());
  const all = withCommands(program);
  // Also of commands that had copied it before.
  Object.assign(program.configureOutput(), {
    getOutHelpWidth: () => columns,
    writeOut: (text: string) => (help += text),
  });
  return all.map(command => {
    help = '';
    command.outputHelp();
    return { path: commandPath(command), help };
  });
}

/** The words of a text; an example is cut as a shell allows it. */
const wordsOf = (text: string) => text.replaceAll(/ \\$/gm, '').split(/\s+/).filter(Boolean);

describe('the help of every command', () => {
  test.each([40, 80, 120])('keeps to %d columns, and cuts no word', columns => {
    const whole = new Map(helpAt(10_000).map(({ path, help }) => [path, help]));
    expect(whole.size).toBeGreaterThan(40);
    for (const { path, help } of helpAt(columns)) {
      const long = help.split('\n').filter(line => textWidth(line) > columns || /\s$/.test(line));
      expect(long, path).toEqual([]);
      expect(wordsOf(help), path).toEqual(wordsOf(whole.get(path)!));
    }
  });

  test('shows no empty values, and has an example', () => {
    for (const { path, help } of helpAt(80)) {
      expect(help, path).not.toMatch(/\[\]|undefined|null|\) \(/);
      expect(help, path).toMatch(/\n\nExamples:\n {2}\S/);
    }
  });

  test('shows the options of large commands in groups', () => {
    const settings = helpAt(80).find(({ path }) => path.endsWith('account settings'))!.help;
    expect(settings.match(/^[A-Z]\w+:$/gm)).toEqual([
      ...['Arguments:', 'Service:', 'Output:', 'Account:', 'Limits:', 'Help:', 'Examples:'],
    ]);
    for (const { path, help } of helpAt(80)) {
      const groups = help.split('\n\n').filter(section => /^[A-Z][\w ]*:\n {2}-/.test(section));
      for (const group of groups) {
        expect(group.match(/^ {2}-/gm)!.length, `${path}: ${group}`).toBeLessThanOrEqual(12);
      }
    }
  });
});

const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

describe('the examples', () => {
  // Without a width, each stands on one line.
  const examples = helpAt(10_000).flatMap(({ help }) =>
    (/\nExamples:\n((?: {2}.*\n)+)/.exec(help)?.[1] ?? '')
      .split('\n')
      .filter(Boolean)
      .map(line => line.trim()),
  );

  test.each(examples)('%s', example => {
    const [line = ''] = /rxscribe [^|)]+/.exec(example) ?? [];
    const [, ...words] = line.match(SHELL_WORD)!.map(word => word.replaceAll(/^['"]|['"]$/g, ''));
    let command = createProgram(idleContext());
    for (let next = words[0]; next !== undefined; next = words[0]) {
      const child = command.commands.find(each => each.name() === next);
      if (!child) break;
      command = child;
      words.shift();
    }
    if (words[0] === 'help') return;
    const { operands, unknown } = command.parseOptions(words);
    const { registeredArguments } = command;
    expect(unknown).toEqual([]);
    expect(operands.length).toBeGreaterThanOrEqual(
      registeredArguments.filter(({ required }) => required).length,
    );
    if (!registeredArguments.at(-1)?.variadic) {
      expect(operands.length).toBeLessThanOrEqual(registeredArguments.length);
    }
    for (const option of command.options.filter(({ mandatory }) => mandatory)) {
      const isOfEnvironment = option.envVar !== undefined;
      expect(
        isOfEnvironment || command.getOptionValue(option.attributeName()) !== undefined,
        option.long,
      ).toBe(true);
    }
  });
});
