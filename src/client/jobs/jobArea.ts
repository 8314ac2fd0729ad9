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

/** What every area can do with its jobs. */
export interface JobArea<SomeJob> {
  get(id: string, options?: CallOptions): Promise<SomeJob>;
  /** One page, newest first, of the jobs that are not too old to be listed. */
  list(options?: ListOptions): Promise<readonly SomeJob[]>;
  /** All of them, page after page as they are taken. */
  listAll(options?: ListOptions): AsyncGenerator<SomeJob, void, undefined>;
  /**
   * Waits until a job has ended well.
   *
   * @throws JobFailedError when it has ended otherwise; RxscribeError `timeout`; the signal's reason
   */
  waitFor(job: string | { readonly id: string }, options?: WaitOptions<SomeJob>): Promise<SomeJob>;
}

/** What a job that has ended can do. */
export interface DeletableJobs {
  /** Deletes a job with all its data. @throws InvalidJobStateError while it is in progress */
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** An area as data, and how its jobs are read. */
export interface AreaDefinition<SomeJob> {
  /** Of the list. */
  readonly path: string;
  /** For errors. */
  readonly noun: 'job' | 'vocabulary';
  /** What its jobs call their state when they ended well. */
  readonly doneWord: string;
  readOne(call: ServiceCall): Promise<SomeJob>;
  readMany(call: ServiceCall): Promise<readonly SomeJob[]>;
}

export interface SubmitOptions extends CallOptions {
  readonly upload?: FileSource | DataSource | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** What areas are built from: their jobs, and the ways that only some have. */
export interface AreaParts<SomeJob> {
  readonly jobs: JobArea<SomeJob>;
  readonly deletable: DeletableJobs;
  /** Submits fields as they are on the wire, with or without an upload. */
  submit(fields: object, options: SubmitOptions): Promise<SomeJob>;
}

/** The path of something below a job. @throws InvalidArgumentError for an id that cannot be one */
export function pathOfJob(listPath: string, id: string, below = ''): string {
  // Dots would lead to another path.
  if (/^\.{0,2}$/.test(id)) throw new InvalidArgumentError(`id: wanted letters and digits, found "${id}"`);
  return `${listPath}/${encodeURIComponent(id)}${below}`;
}

export function jobArea<SomeJob extends AnyJob>(
  { settings, text }: ServiceCalls,
  { path, noun, doneWord, readOne, readMany }: AreaDefinition<SomeJob>,
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
      waitForEnd({ doneWord, clock: settings.clock, get: jobs.get }, typeof job === 'string' ? job : job.id, {
        ...options,
        signal: eitherSignal(settings.signal, options?.signal),
      }),
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
      // Who passes over where to start would be asked for ever.
      throw new ProtocolError('protocol', `list ${noun}s: wanted those after ${last}, found it again`, {
        advice: 'Check the version of the service.',
      });
    }
    yield* page;
    last = page.at(-1)?.id;
    if (last === undefined) return;
  }
}

/** The parts of an area whose jobs look as all of version 1 do. */
export function versionedArea(
  calls: ServiceCalls,
  area: { readonly path: string; readonly doneWord: string },
): AreaParts<Job> {
  return jobArea<Job>(calls, {
    ...area,
    noun: 'job',
    readOne: call => calls.value(JobSchema, call),
    readMany: call => calls.value(Type.Array(JobSchema), call),
  });
}
