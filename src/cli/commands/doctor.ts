import { Command } from 'commander';
import { notes } from '../help/format.ts';

/** `rxscribe doctor`: what is installed, what is missing, and what mends it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('say what is installed, what is missing, and the one command that mends it')
    .option('--fix', 'fetch and install what is missing')
    .addHelpText('after', notes('Exit codes: 0 nothing that is required is missing, 1 something is.'))
    .action(async (options: { fix?: boolean }) => {
      const { runDoctor } = await import('./doctorRun.ts');
      await runDoctor(options.fix ?? false);
    });
}
