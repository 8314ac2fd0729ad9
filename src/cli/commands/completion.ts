import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';
import { defineCommand } from '../flags/defineCommand.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export type Shell = keyof typeof SCRIPTS;

/** Shells with a completion script. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** `rxscribe completion`, which prints a script for a shell. The script has all values, so that completing starts no process. */
export const completionCommand = defineCommand({
  name: 'completion',
  description: 'print a script that completes commands, options, values and files in a shell',
  examples: ['source <(rxscribe completion bash)', 'rxscribe completion fish | source'],
  arguments: [['<shell>', { help: 'the shell', choices: SHELLS }]],
  notes: `
To complete in every shell, add this line to its configuration:

  ~/.bashrc:
    source <(rxscribe completion bash)
  ~/.zshrc, after compinit:
    source <(rxscribe completion zsh)
  ~/.config/fish/config.fish:
    rxscribe completion fish | source`,
  exitCodes: 'Exit codes: 0 done, 2 wrong usage.',
  run({ args: [shell], context: { stdout }, command }) {
    stdout.write(SCRIPTS[shell](command.parent ?? command));
  },
});
