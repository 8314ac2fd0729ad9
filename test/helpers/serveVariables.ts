import { createProgram } from '../../src/cli/main.ts';
import { idleContext } from './commandLine.ts';

/** Returns the names of the environment variables that `rxscribe serve` reads as options. */
export function serveVariables(): readonly string[] {
  const serve = createProgram(idleContext()).commands.find(command => command.name() === 'serve')!;
  return serve.options.flatMap(({ envVar }) => envVar ?? []);
}
