import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StorePlace } from './jobStore.ts';

/** Works of several steps, each in a store of its own. */
export type KilledWork = 'remove' | 'submit' | 'end' | 'finishUnkept' | 'close';

/** E-mail address of the account of works on accounts. */
export const OTHER = 'other@example.org';

/** Does a work in a process that is killed before a step. Returns false when the work had ended before that. */
export async function killAtStep(place: StorePlace, work: KilledWork, step: number): Promise<boolean> {
  const program = new URL('./killedStepMain.ts', import.meta.url).pathname;
  // The database is compiled in each process anew.
  const args = ['--liftoff-only', '--conditions=source', program, JSON.stringify(place), work, String(step)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`wanted a killed process, found one that ended with ${code}`);
  return signal === 'SIGKILL';
}
