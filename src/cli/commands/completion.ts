import { Argument, Command } from 'commander';
import { SHELLS, type Shell } from '../completion/shells.ts';
import { notes } from '../help/format.ts';

/** `rxscribe completion`: what makes a shell complete command lines. */
export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that makes a shell complete commands, options, their values and files')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', notes(HELP))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../completion/completionScript.ts');
      process.stdout.write(completionScript(shell, command.parent!));
    });
  return command;
}

const HELP = `
To have it in every shell, add this line to its configuration:

  ~/.bashrc:
    source <(rxscribe completion bash)
  ~/.zshrc, after compinit:
    source <(rxscribe completion zsh)
  ~/.config/fish/config.fish:
    rxscribe completion fish | source`;
