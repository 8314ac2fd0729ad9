import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { completedCommand } from './completedCommand.ts';
import { fishScript } from './fish.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The completion of a program for a shell: all is in the script, so that completing starts no process. */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](completedCommand(program));
}
