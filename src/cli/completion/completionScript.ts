import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export type Shell = keyof typeof SCRIPTS;

/** Shells with a completion script. */
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

/** Returns the completion script of a program for a shell; it is complete, so that completing starts no process. */
export function completionScript(shell: Shell, program: Command): string {
  return SCRIPTS[shell](program);
}
