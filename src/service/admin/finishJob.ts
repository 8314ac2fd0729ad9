import { InvalidArgumentError } from '../../base/errors.ts';
import { decodeTranscript, encodeTranscript } from '../../protocol/transcriptJson.ts';
import type { Transcript } from '../../transcript/model/model.ts';
import type { JobAtHand, Jobs } from '../jobs/jobs.ts';
import { ProblemError, parameterFaults } from '../problems.ts';
import { finishHuman } from '../tasks/human/finishHuman.ts';
import { readHumanWork } from '../tasks/human/humanWork.ts';
import type { TranscriptionInput } from '../tasks/inputs.ts';

/** @throws ProblemError when there is no such job, or it does not wait for a person */
export async function requireWaiting({ human }: Jobs, id: string): Promise<JobAtHand> {
  const job = await human.find(id);
  if (!job) throw new ProblemError('jobNotFound');
  if (job.record.stage !== 'waiting') throw notWaiting();
  return job;
}

/**
 * Ends a job that waits for a person with what the person wrote.
 *
 * @param contents a transcript in JSON, or text; see `readHumanWork`
 * @throws ProblemError when that is no transcript, or the job does not wait
 */
export async function finishJob(jobs: Jobs, id: string, contents: string): Promise<void> {
  const { record, input } = await requireWaiting(jobs, id);
  const machine = await jobs.result(id, 'transcript');
  if (machine === undefined) throw notWaiting();
  const wanted = input as TranscriptionInput;
  const work = readWork(contents, wanted.human?.speakerNames);
  const draft = {
    transcript: decodeTranscript(JSON.parse(machine)),
    seconds: record.durationSeconds ?? 0,
  };
  const transcript = JSON.stringify(encodeTranscript(finishHuman(work, draft, wanted)));
  if (!(await jobs.human.finish(id, { status: 'done' }, { transcript }))) throw notWaiting();
}

function readWork(contents: string, speakerNames: readonly string[] | undefined): Transcript {
  try {
    return readHumanWork(contents, speakerNames);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new ProblemError('invalidParameters', parameterFaults({ request: [error.message] }));
  }
}

function notWaiting(): ProblemError {
  return new ProblemError('invalidJobState', { detail: 'The job does not wait for a person' });
}
