import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion/completionScript.ts';
import type { Context } from '../context.ts';
import { ContextCommand } from '../flags/contextCommand.ts';
import { notes } from '../help/format.ts';

/** Creates `rxscribe completion`, which prints a completion script for a shell. */
export function completionCommand(context: Context): Command {
  const command = new ContextCommand('completion', context)
    .description('print a script that completes commands, options, values and files in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', notes(HELP))
    .action((shell: Shell) => {
      context.stdout.write(completionScript(shell, command.parent!));
    });
  return command;
}

const HELP = `
To complete in every shell, add this line to its configuration:

  ~/.bashrc:
    source <(rxscribe completion bash)
  ~/.zshrc, after compinit:
    source <(rxscribe completion zsh)
  ~/.config/fish/config.fish:
    rxscribe completion fish | source

Exit codes: 0 done, 2 wrong usage.`;
