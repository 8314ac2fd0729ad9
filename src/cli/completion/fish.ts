import { type CompletedCommand, firstValues, type Values, withCommands } from './completedCommand.ts';

/** Returns a script for fish. */
export function fishScript(program: CompletedCommand): string {
  const { name } = program;
  const lines = withCommands(program).flatMap(command => linesOf(name, command));
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

function linesOf(
  name: string,
  { path, options, commands, arguments: operands }: CompletedCommand,
): readonly string[] {
  const at = `-n ${quoted([`__${name}_at`, ...path].join(' '))}`;
  // Options of a command apply within it; those of the program stand before any command.
  const within = path.length === 0 ? at : `-n ${quoted([`__${name}_in`, ...path].join(' '))}`;
  const values = firstValues(operands);
  return [
    ...commands.map(child => `${at} -a ${child.name} -d ${quoted(child.description)}`),
    ...(values === undefined ? [] : [`${within} ${argumentsOf(values)}`]),
    ...options.map(({ names, value, description }) => {
      const flags = names.map(flag =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const taken = value
        ? [value.values === 'files' ? '-r -F' : `-x ${value.values ? argumentsOf(value.values) : ''}`]
        : [];
      return [within, ...flags, ...taken, '-d', quoted(description)].join(' ');
    }),
  ];
}

function argumentsOf(values: Values): string {
  if (values === 'files') return '-F';
  return `-a ${quoted(values === 'directories' ? '(__fish_complete_directories)' : values.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
