import { type Static, type TSchema, Type } from 'typebox';
import { InvalidArgumentError } from '../../base/errors.ts';
import { TEXT_MEDIA_TYPE } from '../../protocol/interfaceNames.ts';
import { ListQuerySchema } from '../../protocol/queries.ts';
import { decodeTranscript, TranscriptSchema } from '../../protocol/transcriptJson.ts';
import { type Camel, toWire } from '../../protocol/wireNames.ts';
import { ProtocolError } from '../serviceErrors.ts';
import type { DeletableJobs, JobArea, TextTranscripts, Transcripts } from './areaTypes.ts';
import { type CallOptions, eitherSignal, type ListOptions } from './clientOptions.ts';
import type { AnyJob } from './jobTypes.ts';
import { type DataSource, type FileSource, openUpload } from './mediaSource.ts';
import { jsonBody, multipartBody, type UploadProgress } from './requestBody.ts';
import type { ServiceCall, ServiceCalls } from './serviceCalls.ts';
import { waitForEnd } from './waitFor.ts';

/** The definition of an area. */
export interface AreaDefinition<Schema extends TSchema> {
  /** Path of the list of jobs. */
  readonly path: string;
  /** Noun for messages. Default `job`. */
  readonly noun?: 'job' | 'vocabulary';
  /** Status of jobs that are done. */
  readonly doneStatus: string;
  /** Schema of a job. */
  readonly schema: Schema;
}

/** A job with the names of programs. */
type JobOf<Schema extends TSchema> = AnyJob & Camel<Static<Schema>>;

export interface SubmitOptions extends CallOptions {
  readonly upload?: FileSource | DataSource | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Building blocks of areas: the operations of all, and those that only some have. */
export interface AreaParts<SomeJob> {
  readonly jobs: JobArea<SomeJob>;
  readonly deletable: DeletableJobs;
  readonly transcripts: Transcripts;
  readonly textTranscripts: TextTranscripts;
  /** Submits fields in the format of the wire, with or without an upload. */
  submit(fields: object, options: SubmitOptions): Promise<SomeJob>;
  /** Returns the request of a resource of a job. @throws InvalidArgumentError for an invalid id */
  resource(id: string, name: 'captions' | 'result' | 'transcript', options?: CallOptions): ServiceCall;
}

/** Creates the parts of an area. */
export function jobArea<Schema extends TSchema>(
  calls: ServiceCalls,
  { path, noun = 'job', doneStatus, schema }: AreaDefinition<Schema>,
): AreaParts<JobOf<Schema>> {
  const { settings } = calls;
  const readOne = (call: ServiceCall) => calls.value(schema, call) as Promise<JobOf<Schema>>;
  const pathOf = (id: string) => {
    // Dots would address another path.
    if (/^\.{0,2}$/.test(id))
      throw new InvalidArgumentError(`Id '${id}' must consist of letters and digits.`);
    return `${path}/${encodeURIComponent(id)}`;
  };
  const resource: AreaParts<unknown>['resource'] = (id, name, options) => ({
    ...options,
    action: `get ${name} of ${id}`,
    method: 'GET',
    path: `${pathOf(id)}/${name}`,
  });
  const jobs: JobArea<JobOf<Schema>> = {
    async get(id, options) {
      return readOne({ ...options, action: `get ${noun} ${id}`, method: 'GET', path: pathOf(id) });
    },
    list({ limit, startingAfter, signal } = {}) {
      const query = toWire(ListQuerySchema, { limit, startingAfter });
      const call: ServiceCall = { action: `list ${noun}s`, method: 'GET', path, query, signal };
      return calls.value(Type.Array(schema), call) as Promise<readonly JobOf<Schema>[]>;
    },
    listAll: options => pagesOf(jobs, noun, options),
    waitFor(job, options) {
      const signal = eitherSignal(settings.signal, options?.signal);
      const area = { doneStatus, clock: settings.clock, get: jobs.get };
      return waitForEnd(area, typeof job === 'string' ? job : job.id, { ...options, signal });
    },
  };
  return {
    jobs,
    deletable: {
      async delete(id, options) {
        await calls.text({ ...options, action: `delete ${noun} ${id}`, method: 'DELETE', path: pathOf(id) });
      },
    },
    transcripts: {
      async transcript(id, options) {
        const accept = settings.names.transcriptMediaType;
        const wire = await calls.json(TranscriptSchema, { ...resource(id, 'transcript', options), accept });
        return decodeTranscript(wire);
      },
    },
    textTranscripts: {
      transcriptText: async (id, options) =>
        calls.text({ ...resource(id, 'transcript', options), accept: TEXT_MEDIA_TYPE }),
    },
    async submit(fields, { upload, onProgress, signal }) {
      const body = upload ? multipartBody(fields, await openUpload(upload), onProgress) : jsonBody(fields);
      return readOne({ action: `submit ${noun}`, method: 'POST', path, body, signal });
    },
    resource,
  };
}

async function* pagesOf<SomeJob extends AnyJob>(
  { list }: JobArea<SomeJob>,
  noun: string,
  { startingAfter, ...options }: ListOptions = {},
): AsyncGenerator<SomeJob, void, undefined> {
  let last = startingAfter;
  for (;;) {
    const page = await list({ ...options, startingAfter: last });
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
