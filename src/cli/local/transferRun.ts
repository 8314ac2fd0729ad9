import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { InvalidArgumentError, RxscribeError, reasonOf } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { openStore, type Store, type StoreOptions } from '../../service/store/store.ts';
import type { Unreachable } from '../../service/store/untilReachable.ts';
import { readDirectory, writeDirectory } from '../../service/transfer/directoryParts.ts';
import { exportStore } from '../../service/transfer/exportStore.ts';
import { importParts } from '../../service/transfer/importStore.ts';
import { readTar, writeTar } from '../../service/transfer/tarParts.ts';
import type { Context, Output } from '../context.ts';
import { type StoreFlags, storePlace } from '../flags/storeOptions.ts';
import { interruptible, type Work } from '../interruptible.ts';
import type { ProgressLine } from '../print/progressLine.ts';

/** Name of standard input and output among directories. */
const STREAM = '-';

/** Exports a store to a directory, or as a tar archive to standard output. */
export async function runExport(context: Context, target: string, flags: StoreFlags): Promise<void> {
  const { stdout, stderr, clock } = context;
  if (target === STREAM && stdout.isTTY) {
    throw new InvalidArgumentError(
      'A tar archive is not for a terminal. Redirect the output to a file, or name a directory.',
    );
  }
  const work = async ({ progress, signal }: Work) => {
    const place = storePlace(flags, context.env, progress.note);
    if (!place.databaseUrl && !existsSync(join(place.dataDirectory, 'db'))) {
      throw new RxscribeError('store', `Directory '${place.dataDirectory}' has no data of a service.`);
    }
    await using opened = openOnce(place, { clock, progress, signal });
    const store = await opened.store;
    const onProgress = stepProgress(progress, stderr);
    const { parts, counts } = exportStore(store, { release: packageJson.version, clock, signal, onProgress });
    if (target === STREAM) await writeStream(writeTar(parts, new Date(clock.wallTime())), stdout);
    else await writeDirectory(parts, target);
    progress.hide();
    progress.note(`Exported ${summary(counts)}.`);
  };
  const note = 'Interrupted. The written part is incomplete: delete it.';
  await interruptible(context, work, { note });
}

/** Imports a directory, or a tar archive on standard input, into a new store. */
export async function runImport(context: Context, source: string, flags: StoreFlags): Promise<void> {
  const { stdin, stderr, clock } = context;
  if (source === STREAM && 'isTTY' in stdin && stdin.isTTY) {
    throw new InvalidArgumentError('A tar archive cannot be typed. Redirect the input, or name a directory.');
  }
  const work = async ({ progress, signal }: Work) => {
    const place = storePlace(flags, context.env, progress.note);
    // Checked before the store is opened, which would create it.
    if (source !== STREAM && !existsSync(source)) {
      throw new InvalidArgumentError(`Directory '${source}' does not exist.`);
    }
    await using opened = openOnce({ ...place, forImport: true }, { clock, progress, signal });
    // The read of a pipe may wait for a long time.
    signal.addEventListener('abort', () => stdin.destroy(), { once: true });
    const store = await opened.store;
    const read = () => readDirectory(source);
    const counts = await importParts(store, source === STREAM ? readTar(stdin) : read(), {
      ...(source !== STREAM && { again: read }),
      clock,
      signal,
      onProgress: stepProgress(progress, stderr),
      onError: noteError(progress),
    });
    progress.hide();
    progress.note(`Imported ${summary(counts)}.`);
  };
  await interruptible(context, work, { note: 'Interrupted. Run the same command again.' });
}

function summary({ accounts, jobs, objects }: Record<'accounts' | 'jobs' | 'objects', number>): string {
  return `${counted(accounts, 'account')} and ${counted(jobs, 'job')} with ${counted(objects, 'object')}`;
}

/** Shows the step in progress in a terminal; elsewhere writes a line at the start of each step. */
function stepProgress(progress: ProgressLine, stderr: Output) {
  let last: string | undefined;
  return (step: string, fraction?: number) => {
    if (!stderr.isTTY && step !== last) progress.note(`${step[0]!.toUpperCase()}${step.slice(1)}.`);
    last = step;
    progress.show(step, fraction);
  };
}

const noteError = (progress: ProgressLine) => (error: unknown) =>
  progress.note(`warning: ${reasonOf(error)}.`);

/** Opens a store without waiting for a server that cannot be reached: a command that fails can be repeated. */
function openOnce(
  place: Omit<StoreOptions, 'clock' | 'onError'>,
  { clock, progress, signal }: Work & Pick<Context, 'clock'>,
): AsyncDisposable & { readonly store: Store['opened'] } {
  let unreachable: Unreachable | undefined;
  const store: Store = openStore({
    ...place,
    clock,
    onError: noteError(progress),
    onUnreachable(found) {
      unreachable = found;
      store.giveUp();
    },
  });
  signal.addEventListener('abort', store.giveUp, { once: true });
  const opened = store.opened.catch(error => {
    if (!unreachable) throw error;
    const { server, reason } = unreachable;
    throw new RxscribeError('store', `The ${server} cannot be reached: ${reason}.`, { cause: error });
  });
  return { store: opened, [Symbol.asyncDispose]: store.close };
}

/** @throws RxscribeError `unreadable-input` when the reader of the output has gone */
async function writeStream(chunks: AsyncIterable<Uint8Array>, stdout: Output): Promise<void> {
  let failure: unknown;
  async function* source() {
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    await pipeline(source, stdout, { end: false });
  } catch (cause) {
    if (failure !== undefined) throw failure;
    throw new RxscribeError('unreadable-input', `Cannot write the export: ${reasonOf(cause)}.`, { cause });
  }
}
