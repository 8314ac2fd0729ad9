import type { Command, Option } from 'commander';
import {
  type CompletedCommand,
  completedCommands,
  firstValues,
  type Values,
  valueNameOf,
  valuesOf,
} from './completedCommand.ts';

/** Returns a script for fish. */
export function fishScript(program: Command): string {
  const name = program.name();
  const lines = completedCommands(program).flatMap(command => linesOf(name, command));
  return `# fish completion for ${name}
function __${name}_at
    set -l words (commandline -opc)[2..]
    test "$words" = "$argv"
end
function __${name}_in
    set -l words (commandline -opc)[2..]
    string match -q -- "$argv *" "$words "
end
complete -c ${name} -f
${lines.map(line => `complete -c ${name} ${line}`).join('\n')}
`;
}

function linesOf(name: string, { path, options, command }: CompletedCommand): readonly string[] {
  const at = `-n ${quoted([`__${name}_at`, ...path].join(' '))}`;
  // Options of a command apply within it; those of the program stand before any command.
  const within = path.length === 0 ? at : `-n ${quoted([`__${name}_in`, ...path].join(' '))}`;
  const values = firstValues(command);
  return [
    ...command.commands.map(child => `${at} -a ${child.name()} -d ${quoted(child.description())}`),
    ...(values === undefined ? [] : [`${within} ${argumentsOf(values)}`]),
    ...options.map(option => `${within} ${optionText(option)}`),
  ];
}

function optionText(option: Option): string {
  const { short, long, description } = option;
  const name = valueNameOf(option);
  const values = valuesOf(option, name);
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
    ...(name === undefined ? [] : [values === 'files' ? '-r -F' : `-x ${values ? argumentsOf(values) : ''}`]),
    '-d',
    quoted(description),
  ].join(' ');
}

function argumentsOf(values: Values): string {
  if (values === 'files') return '-F';
  return `-a ${quoted(values === 'directories' ? '(__fish_complete_directories)' : values.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
