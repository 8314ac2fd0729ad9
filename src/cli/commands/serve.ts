import { defineCommand } from '../flags/defineCommand.ts';
import { SERVE_OPTIONS } from '../flags/serveOptions.ts';
import { loadLocal } from '../loadLocal.ts';

/** `rxscribe serve`, which runs the speech service until it is interrupted. */
export const serveCommand = defineCommand({
  name: 'serve',
  description: 'run the speech service',
  examples: ['rxscribe serve --port 8080 --data ./data'],
  options: SERVE_OPTIONS,
  exitCodes: `
Exit codes: 0 stopped by an interruption, 2 wrong usage, 3 recogniser cannot be fetched, 4 the service cannot start, 130
interrupted again before it has stopped.`,
  async run({ flags, context }) {
    const { runService } = await loadLocal('serveRun');
    await runService(context, flags);
  },
});
