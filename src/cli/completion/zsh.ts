import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  withCommands,
} from './completedCommand.ts';

/** Returns a script for zsh, to be sourced or put into its `fpath`. */
export function zshScript(program: CompletedCommand): string {
  const main = functionName(program, program);
  return `#compdef ${program.name}
${withCommands(program)
  .map(command => completer(program, command))
  .join('\n')}
if [[ $funcstack[1] == ${main} ]]; then
  ${main} "$@"
else
  compdef ${main} ${program.name}
fi
`;
}

function completer(program: CompletedCommand, command: CompletedCommand): string {
  const { options, commands } = command;
  const specs = [
    ...options.map(optionSpec),
    ...(commands.length > 0 ? COMMAND_SPECS : command.arguments.map(argumentSpec)),
  ];
  const list = specs.map(spec => ` \\\n    ${spec}`).join('');
  if (commands.length === 0) return `${functionName(program, command)}() {\n  _arguments -S${list}\n}`;
  return `${functionName(program, command)}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C -S${list}
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, description }) => `        ${quoted(`${name}:${escaped(description)}`)}`).join('\n')}
      )
      _describe command commands ;;
    argument)
      case $words[1] in
${commands.map(child => `        ${child.name}) ${functionName(program, child)} ;;`).join('\n')}
      esac ;;
  esac
}`;
}

const COMMAND_SPECS = ["'1:command:->command'", "'*::argument:->argument'"];

function functionName({ name }: CompletedCommand, { path }: CompletedCommand): string {
  return ['', name, ...path].join('_');
}

function optionSpec({ names, description, value, isRepeatable }: CompletedOption): string {
  const text = `[${escaped(description)}]${value ? valueSpec(value) : ''}`;
  const flags = names.map(name => (value ? `${name}=` : name));
  if (flags.length === 1) return quoted(`${isRepeatable ? '*' : ''}${flags[0]}${text}`);
  return `${quoted(`(${names.join(' ')})`)}{${flags.join(',')}}${quoted(text)}`;
}

function argumentSpec(value: CompletedCommand['arguments'][number], index: number): string {
  return quoted(`${value.isVariadic ? '*' : index + 1}${valueSpec(value)}`);
}

function valueSpec({ name, values }: CompletedValue): string {
  return `:${escaped(name)}:${actionOf(values)}`;
}

function actionOf(values: CompletedValue['values']): string {
  if (values === undefined) return ' ';
  if (values === 'files') return '_files';
  return values === 'directories' ? '_files -/' : `(${values.join(' ')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
