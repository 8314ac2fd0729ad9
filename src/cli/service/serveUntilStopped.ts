/** A server for tests that runs until an interruption. */
import { firstValueFrom } from 'rxjs';
import { unusedFaults } from '../../replay/play/faults/connectionFaults.ts';
import type { PlannedPlayFault } from '../../replay/play/faults/faultSchedule.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { STOPPED, takeInterruptions } from '../interruption.ts';

interface FaultyServer extends AsyncDisposable {
  readonly waitingFaults: readonly PlannedPlayFault[];
}

export interface Serving<Server extends FaultyServer> {
  readonly start: () => Promise<Server>;
  /** Values of the first line, which is JSON. */
  readonly shown: (server: Server) => object;
  /** Problems of the clients, for which the exit code is 6. */
  readonly problems: (server: Server) => readonly string[] | Promise<readonly string[]>;
}

/** Runs a server to the first interruption, then prints its problems and the faults that never took place. */
export async function serveUntilStopped<Server extends FaultyServer>(
  context: Context,
  { start, shown, problems }: Serving<Server>,
): Promise<void> {
  using interruption = takeInterruptions(context, STOPPED);
  await using server = await start();
  context.stdout.write(`${JSON.stringify(shown(server))}\n`);
  await firstValueFrom(interruption.interrupted$);
  const lines = [...(await problems(server)), ...unusedFaults(server)];
  for (const line of lines) context.stderr.write(`${line}\n`);
  if (lines.length > 0) context.exitCode = EXIT.worse;
}
