import { Type } from 'typebox';
import { InvalidArgumentError } from '../../base/errors.ts';
import { JobSchema } from '../../protocol/jobs.ts';
import { ListQuerySchema } from '../../protocol/queries.ts';
import { toWire } from '../../protocol/wireNames.ts';
import { ProtocolError } from '../serviceErrors.ts';
import { type CallOptions, eitherSignal, type ListOptions } from './clientOptions.ts';
import type { AnyJob, Job } from './jobTypes.ts';
import { type DataSource, type FileSource, openUpload } from './mediaSource.ts';
import { jsonBody, multipartBody, type UploadProgress } from './requestBody.ts';
import type { ServiceCall, ServiceCalls } from './serviceCalls.ts';
import { type WaitOptions, waitForEnd } from './waitFor.ts';

/** Operations on the jobs of an area. */
export interface JobArea<SomeJob> {
  get(id: string, options?: CallOptions): Promise<SomeJob>;
  /** Returns one page of the recent jobs, newest first. */
  list(options?: ListOptions): Promise<readonly SomeJob[]>;
  /** Yields all recent jobs, newest first; fetches pages on demand. */
  listAll(options?: ListOptions): AsyncGenerator<SomeJob, void, undefined>;
  /**
   * Resolves when a job is done.
   *
   * @throws JobFailedError when the job failed; RxscribeError `timeout`; the signal's reason
   */
  waitFor(job: string | { readonly id: string }, options?: WaitOptions<SomeJob>): Promise<SomeJob>;
}

/** Deletion of jobs that have ended. */
export interface DeletableJobs {
  /** Deletes a job with all its data. @throws InvalidJobStateError while it is in progress */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** The definition of an area. */
export interface AreaDefinition<SomeJob> {
  /** Path of the list of jobs. */
  readonly path: string;
  /** Noun for messages. */
  readonly noun: 'job' | 'vocabulary';
  /** Status of jobs that are done. */
  readonly doneStatus: string;
  readOne(call: ServiceCall): Promise<SomeJob>;
  readMany(call: ServiceCall): Promise<readonly SomeJob[]>;
}

export interface SubmitOptions extends CallOptions {
  readonly upload?: FileSource | DataSource | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Building blocks of areas: the operations of all, and those that only some have. */
export interface AreaParts<SomeJob> {
  readonly jobs: JobArea<SomeJob>;
  readonly deletable: DeletableJobs;
  /** Submits fields in the format of the wire, with or without an upload. */
  submit(fields: object, options: SubmitOptions): Promise<SomeJob>;
}

/** Returns the path of a job, or of a resource below it. @throws InvalidArgumentError for an invalid id */
export function pathOfJob(listPath: string, id: string, below = ''): string {
  // Dots would address another path.
  if (/^\.{0,2}$/.test(id)) throw new InvalidArgumentError(`Id '${id}' must consist of letters and digits.`);
  return `${listPath}/${encodeURIComponent(id)}${below}`;
}

export function jobArea<SomeJob extends AnyJob>(
  { settings, text }: ServiceCalls,
  { path, noun, doneStatus, readOne, readMany }: AreaDefinition<SomeJob>,
): AreaParts<SomeJob> {
  const jobs: JobArea<SomeJob> = {
    async get(id, options) {
      return readOne({ ...options, action: `get ${noun} ${id}`, method: 'GET', path: pathOfJob(path, id) });
    },
    list({ limit, startingAfter, signal } = {}) {
      const query = toWire(ListQuerySchema, { limit, startingAfter });
      return readMany({ action: `list ${noun}s`, method: 'GET', path, query, signal });
    },
    listAll: options => pagesOf(jobs, noun, options),
    waitFor: (job, options) =>
      waitForEnd(
        { doneStatus, clock: settings.clock, get: jobs.get },
        typeof job === 'string' ? job : job.id,
        {
          ...options,
          signal: eitherSignal(settings.signal, options?.signal),
        },
      ),
  };
  return {
    jobs,
    deletable: {
      async delete(id, options) {
        await text({
          ...options,
          action: `delete ${noun} ${id}`,
          method: 'DELETE',
          path: pathOfJob(path, id),
        });
      },
    },
    async submit(fields, { upload, onProgress, signal }) {
      const body = upload ? multipartBody(fields, await openUpload(upload), onProgress) : jsonBody(fields);
      return readOne({ action: `submit ${noun}`, method: 'POST', path, body, signal });
    },
  };
}

async function* pagesOf<SomeJob extends AnyJob>(
  { list }: JobArea<SomeJob>,
  noun: string,
  { startingAfter, ...options }: ListOptions = {},
): AsyncGenerator<SomeJob, void, undefined> {
  let last = startingAfter;
  for (;;) {
    const page = await list({ ...options, ...(last !== undefined && { startingAfter: last }) });
    if (page.some(({ id }) => id === last)) {
      // A service that ignores `starting_after` would be queried for ever.
      throw new ProtocolError('protocol', `Cannot list ${noun}s: the page after ${last} contains it again.`, {
        advice: 'Check the version of the service.',
      });
    }
    yield* page;
    last = page.at(-1)?.id;
    if (last === undefined) return;
  }
}

/** Creates the parts of an area with the job schema of version 1. */
export function versionedArea(
  calls: ServiceCalls,
  area: { readonly path: string; readonly doneStatus: string },
): AreaParts<Job> {
  return jobArea<Job>(calls, {
    ...area,
    noun: 'job',
    readOne: call => calls.value(JobSchema, call),
    readMany: call => calls.value(Type.Array(JobSchema), call),
  });
}
