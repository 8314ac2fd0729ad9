import { type CompletedCommand, firstValues, type Values, withCommands } from './completedCommand.ts';

/** Returns a script for bash 4 and later without bash-completion. */
export function bashScript(program: CompletedCommand): string {
  const commands = withCommands(program);
  const { name } = program;
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value ? names.map(option => [[...path, option].join(' '), value.values] as const) : [],
    ),
  );
  const operands = commands.map(
    ({ path, commands: children, arguments: operands }) =>
      [
        path.join(' '),
        children.length > 0 ? children.map(child => child.name) : firstValues(operands),
      ] as const,
  );
  const options = commands.map(
    ({ path, options }) => [path.join(' '), options.flatMap(({ names }) => names)] as const,
  );
  return `# bash completion for ${name}
_${name}_files() {
  compopt -o default 2>/dev/null || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_${name}_directories() {
  compopt -o dirnames 2>/dev/null || mapfile -t COMPREPLY < <(compgen -d -- "$current")
}
_${name}_words() {
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= word
  COMPREPLY=()
  # Bash splits "--option=value" into three words.
  if [[ $current == = ]]; then current=
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${commands
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => quoted(path.join(' ')))
        .join('|')}) command+="\${command:+ }$word" ;;
      *) break ;;
    esac
  done
  case "\${command:+$command }$before" in
${cases(name, values)}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${cases(name, options)}
    esac
  fi
  case "$command" in
${cases(name, operands)}
  esac
}
complete -F _${name} ${name}
`;
}

/** Returns the branches of a case; patterns with the same action share a branch. */
function cases(name: string, rows: readonly (readonly [string, Values | undefined])[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, values] of rows) {
    const action = actionOf(name, values);
    patterns.set(action, [...(patterns.get(action) ?? []), quoted(pattern)]);
  }
  return [...patterns].map(([action, of]) => `    ${of.join('|')}) ${action}return ;;`).join('\n');
}

function actionOf(name: string, values: Values | undefined): string {
  if (values === undefined) return '';
  return typeof values === 'string' ? `_${name}_${values}; ` : `_${name}_words ${values.join(' ')}; `;
}

function quoted(text: string): string {
  return `'${text}'`;
}
