import type { Command } from 'commander';
import {
  completedCommands,
  firstValues,
  namesOf,
  type Values,
  valueNameOf,
  valuesOf,
} from './completedCommand.ts';

/** Returns a script for bash 4 and later without bash-completion. */
export function bashScript(program: Command): string {
  const all = completedCommands(program);
  const name = program.name();
  const values = all.flatMap(({ path, options }) =>
    options.flatMap(option => {
      const valueName = valueNameOf(option);
      if (valueName === undefined) return [];
      return namesOf(option).map(flag => [[...path, flag].join(' '), valuesOf(option, valueName)] as const);
    }),
  );
  const operands = all.map(({ path, command }) => {
    const children = command.commands.map(child => child.name());
    return [path.join(' '), children.length > 0 ? children : firstValues(command)] as const;
  });
  const options = all.map(({ path, options }) => [path.join(' '), options.flatMap(namesOf)] as const);
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
      ${all
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
