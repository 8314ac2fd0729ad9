import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SHELLS, type Shell } from '../../../src/cli/commands/completion.ts';
import { runCommand } from '../../helpers/commandLine.ts';
import { sharedDirectory } from '../../helpers/dataDirectory.ts';
import { needsProgram } from '../../helpers/needs.ts';
import { PROMPT, typedShell } from '../../helpers/typedShell.ts';

const directory = sharedDirectory();

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, stdout } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(directory, shell), stdout);
  }
  mkdirSync(join(directory, 'recordings of mine'));
  writeFileSync(join(directory, 'talk.wav'), '');
  writeFileSync(join(directory, 'two words.txt'), '');
});

/** Command and start file of each shell, in which the program is a function that prints its arguments. */
const SETTINGS = {
  bash: {
    command: 'bash --rcfile ./.bashrc -i',
    file: '.bashrc',
    lines: `bind 'set bell-style none'; rxscribe() { printf ' <%s>' "$@"; echo; }; source ./bash; PS1='${PROMPT} '`,
  },
  zsh: {
    command: 'zsh -i',
    file: '.zshrc',
    lines: `autoload -U compinit; compinit -u -D; unsetopt beep; rxscribe() { printf ' <%s>' "$@"; echo; }; source ./zsh; PS1='${PROMPT} '`,
  },
  fish: {
    command: "fish --no-config -i --init-command 'source ./.fishrc'",
    file: '.fishrc',
    lines: `function rxscribe; printf ' <%s>' $argv; echo; end; source ./fish; function fish_prompt; echo '${PROMPT} '; end`,
  },
} as const satisfies Record<Shell, object>;

/** Typed lines with tabs, each with the arguments that the program gets. */
const TYPED: readonly (readonly [string, readonly string[]])[] = [
  ['transc\t x', ['transcribe', 'x']],
  ['account tok\t revo\t a 1', ['account', 'token', 'revoke', 'a', '1']],
  ['caption --give\t 5', ['caption', '--give-up-after', '5']],
  ['transcribe --format js\t x', ['transcribe', '--format', 'json', 'x']],
  ['transcribe --format=vt\t x', ['transcribe', '--format=vtt', 'x']],
  ['caption tal\t', ['caption', 'talk.wav']],
  ['caption --json tal\t', ['caption', '--json', 'talk.wav']],
  ['align talk.wav --text two\t', ['align', 'talk.wav', '--text', 'two words.txt']],
  ['serve --data rec\t', ['serve', '--data', 'recordings of mine']],
  ['job finish a1 tal\t', ['job', 'finish', 'a1', 'talk.wav']],
  ['completion fi\t', ['completion', 'fish']],
  ['caption --url tal\t', ['caption', '--url', 'tal']],
  ['job delete tal\t', ['job', 'delete', 'tal']],
];

describe.each(SHELLS)('%s', shell => {
  test('completes what is typed', { tags: 'tools' }, async context => {
    needsProgram(context, shell);
    needsProgram(context, 'script');
    const keys = `${TYPED.map(([line]) => `rxscribe ${line}\n`).join('')}exit\n`;
    const { command, file, lines } = SETTINGS[shell];
    writeFileSync(join(directory, file), lines);
    const shown = await typedShell(command, { keys, cwd: directory });
    // zsh takes the slash behind a directory back.
    const got = shown
      .replaceAll('/>', '>')
      .split('\n')
      .filter(line => /^ </.test(line));
    expect(got, shown).toEqual(TYPED.map(([, words]) => words.map(word => ` <${word}>`).join('')));
  });
});

test('an unknown shell is refused with the known ones', async () => {
  const { code, stderr } = await runCommand(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh or fish');
});
