/** A server for tests that runs until an interruption. */
import { firstValueFrom } from 'rxjs';
import { unusedFaults } from '../../replay/play/faults/connectionFaults.ts';
import type { PlannedPlayFault } from '../../replay/play/faults/faultSchedule.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';

interface Serving {
  readonly server: { readonly waitingFaults: readonly PlannedPlayFault[] };
  /** Values of the first line, which is JSON. */
  readonly shown: object;
  /** Returns problems of the clients, for which the exit code is 6. */
  readonly problems: () => readonly string[] | Promise<readonly string[]>;
}

/** Waits for the first interruption, then prints the problems of a server and the faults that never took place. */
export async function serveUntilStopped(
  context: Context,
  { server, shown, problems }: Serving,
): Promise<void> {
  using interruption = takeInterruptions(context, STOPPED);
  context.stdout.write(`${JSON.stringify(shown)}\n`);
  await firstValueFrom(interruption.interrupted$);
  const lines = [...(await problems()), ...unusedFaults(server)];
  for (const line of lines) context.stderr.write(`${line}\n`);
  if (lines.length > 0) context.exitCode = EXIT.worse;
}
