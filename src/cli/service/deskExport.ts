import { InvalidJobStateError } from '../../client/jobs/requestErrors.ts';
import type { DeskExportJson } from '../../protocol/admin.ts';
import type { DeskConflict, DeskDraftJson, DeskJobJson } from '../../protocol/desk.ts';
import type { Context } from '../context.ts';
import { newDirectory } from '../files/newDirectory.ts';
import type { AdminAccess } from '../flags/adminOptions.ts';
import { interruptible } from '../interruptible.ts';
import { type AdminCall, type AdminWork, adminCall, adminWork } from './adminCall.ts';

export interface JobExport {
  readonly id: string;
  readonly directory: string;
  /** The person who claims the job, for the given seconds. */
  readonly worker: string;
  readonly seconds: number;
  readonly access: AdminAccess;
}

/**
 * Claims a job, and writes it to a new or empty directory. After a failure, the written files are removed, and a new claim is
 * released.
 *
 * @returns undefined when it was interrupted
 * @throws RxscribeError `unreadable-input` when the directory cannot be written; InvalidArgumentError; the errors of the client
 */
export async function exportJob(context: Context, job: JobExport): Promise<DeskJobJson | undefined> {
  const { id, directory, worker, seconds, access } = job;
  return interruptible(context, async ({ signal, progress }) => {
    const call = <Answer>(more: Omit<AdminCall, 'action' | 'signal'>) =>
      adminCall<Answer>(access, { action: `export job ${id}`, signal, ...more }).catch(withAdvice);
    await using target = await newDirectory(directory);
    let exported: DeskExportJson | undefined;
    try {
      progress.show('exporting the job');
      const path = ['desk', 'jobs', id, 'export'];
      exported = await call<DeskExportJson>({ path, body: { worker, seconds } });
      await target.write('audio.wav', append =>
        call({
          path: ['desk', 'jobs', id, 'audio'],
          query: { worker },
          // The audio of a job of an earlier release is made first.
          timeoutMs: Number.POSITIVE_INFINITY,
          save: async (bytes, totalBytes) => {
            const written = await append(bytes);
            progress.show('downloading the audio', totalBytes && written / totalBytes);
          },
        }),
      );
      const { instructions, words, text } = exported;
      await target.write('words.json', append => append(wordsText(words)));
      await target.write('transcript.txt', append => append(text));
      await target.write('instructions.json', append =>
        append(`${JSON.stringify(instructions, undefined, 2)}\n`),
      );
      signal.throwIfAborted();
      target.complete();
      return instructions.job;
    } catch (error) {
      if (exported?.is_new_claim) await release(job).catch(failure => progress.note(String(failure)));
      throw error;
    }
  });
}

/** Returns turns as JSON, one a line. */
function wordsText({ revision, turns }: DeskDraftJson): string {
  const lines = turns.map(turn => JSON.stringify(turn));
  return `{"revision": ${revision}, "turns": [\n${lines.join(',\n')}\n]}\n`;
}

async function release({ id, worker, access }: JobExport): Promise<void> {
  const path = ['human-jobs', id, 'release'];
  await adminCall(access, { action: 'release job', path, body: { worker } });
}

/** Finishes a job with the transcript in a file. @throws RxscribeError, also when the service refuses it */
export async function importJob(context: Context, access: AdminAccess, work: AdminWork): Promise<void> {
  await adminWork(context, access, work).catch(withAdvice);
}

/** Advice for each state of a job; the client has no advice for these states. */
const ADVICE: Readonly<Record<DeskConflict, string>> = {
  claimed: "'rxscribe job waiting' shows who has claimed it, and until when; --worker names that person.",
  lapsed: 'Export the job again.',
  ended: "'rxscribe job waiting' lists the jobs that can be transcribed.",
  revision:
    "Somebody has changed the text at the desk since the export. Look at it there, or export the job again; without its 'revision', the file replaces that text.",
};

function withAdvice(error: unknown): never {
  if (!(error instanceof InvalidJobStateError)) throw error;
  const { code, message, currentValue } = error;
  throw new InvalidJobStateError(code, message, {
    ...error,
    advice: ADVICE[currentValue as DeskConflict] ?? error.advice,
  });
}
