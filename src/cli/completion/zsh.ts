import type { Argument, Command, Option } from 'commander';
import {
  type CompletedCommand,
  completedCommands,
  namesOf,
  valueNameOf,
  valuesOf,
} from './completedCommand.ts';

/** Returns a script for zsh, to be sourced or put into its `fpath`. */
export function zshScript(program: Command): string {
  const name = program.name();
  return `#compdef ${name}
${completedCommands(program)
  .map(command => completer(name, command))
  .join('\n')}
if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

function completer(program: string, { command, path, options }: CompletedCommand): string {
  const { commands, registeredArguments } = command;
  const name = ['', program, ...path].join('_');
  const specs = [
    ...options.map(optionSpec),
    ...(commands.length > 0 ? COMMAND_SPECS : registeredArguments.map(argumentSpec)),
  ];
  const list = specs.map(spec => ` \\\n    ${spec}`).join('');
  if (commands.length === 0) return `${name}() {\n  _arguments -S${list}\n}`;
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C -S${list}
  case $state in
    command)
      local -a commands=(
${commands.map(child => `        ${quoted(`${child.name()}:${escaped(child.description())}`)}`).join('\n')}
      )
      _describe command commands ;;
    argument)
      case $words[1] in
${commands.map(child => `        ${child.name()}) ${name}_${child.name()} ;;`).join('\n')}
      esac ;;
  esac
}`;
}

const COMMAND_SPECS = ["'1:command:->command'", "'*::argument:->argument'"];

function optionSpec(option: Option): string {
  const { description, variadic } = option;
  const name = valueNameOf(option);
  const text = `[${escaped(description)}]${name === undefined ? '' : valueSpec(option, name)}`;
  const flags = namesOf(option).map(flag => (name === undefined ? flag : `${flag}=`));
  const isRepeatable = variadic || description.includes('repeated');
  if (flags.length === 1) return quoted(`${isRepeatable ? '*' : ''}${flags[0]}${text}`);
  return `${quoted(`(${namesOf(option).join(' ')})`)}{${flags.join(',')}}${quoted(text)}`;
}

function argumentSpec(argument: Argument, index: number): string {
  return quoted(`${argument.variadic ? '*' : index + 1}${valueSpec(argument, argument.name())}`);
}

function valueSpec(of: Option | Argument, name: string): string {
  const values = valuesOf(of, name);
  if (values === undefined) return `:${escaped(name)}: `;
  if (values === 'files') return `:${escaped(name)}:_files`;
  return `:${escaped(name)}:${values === 'directories' ? '_files -/' : `(${values.join(' ')})`}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
