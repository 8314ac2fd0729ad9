import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headerSeconds } from '../../audio/source/probe.ts';
import { createId } from '../../base/ids.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { refuseComplexJson } from '../http/refuseComplexJson.ts';
import { OutOfCreditError, type Submission } from '../jobs/jobs.ts';
import { downloadName } from '../outbound/fileName.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import { refuseUnsupported } from '../region.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { activeTraceparent } from '../telemetry/tracing.ts';
import { type Form, type FormOptions, partFault, readForm, removeMedia } from '../uploads/form.ts';
import { VOCABULARY_TYPE } from '../vocabularies.ts';
import { type AddressJson, addressOf } from './addressRules.ts';
import type { Area, AreaContext } from './area.ts';
import type { Fault } from './faults.ts';
import { viewIn } from './jobView.ts';
import { submitOperation } from './operations.ts';
import { readSubmission } from './readSubmission.ts';
import { maxJsonBytes, refuseLongJson } from './submission.ts';

const ID_LENGTH = 14;
/** Seconds of credit held for a job whose length is not known yet. */
const UNKNOWN_SECONDS = 1;
/** Milliseconds after which a client may try again, when the account has reached its number of uploads. */
const UPLOAD_WAIT_MS = 10_000;

/** Adds POST of a job, as JSON or as a form with media. */
export function submitRoute(app: FastifyInstance, path: string, area: Area, context: AreaContext): void {
  const { limits } = context;
  const bodyLimit = maxJsonBytes(area.submission, limits);
  app.post(path, { bodyLimit, schema: submitOperation(area, limits) }, async request => {
    const { accountId, id: requestId } = request;
    if (!request.isMultipart()) {
      const { body: json, bodyBytes } = request;
      refuseLongJson(area.submission, limits, { json, bytes: bodyBytes });
      return viewIn(area, await submit(area, context, { accountId, requestId, json }));
    }
    if (!area.submission.takesMedia) throw new ProblemError('unsupportedMediaType');
    const parts = { media: 'media', texts: OPTIONS_PARTS, textBytes: bodyLimit };
    return withForm(request, context, parts, async form => {
      const { json, bytes, unread } = await optionsOf(form);
      refuseLongJson(area.submission, limits, { json, bytes });
      const ignored = [...unread, ...form.ignoredParts];
      return viewIn(area, await submit(area, context, { accountId, requestId, json, form, ignored }));
    });
  });
}

/** Names of the part with the options; the first that a form has is read. A public client sends the second. */
const OPTIONS_PARTS: ReadonlySet<string> = new Set(['options', 'config']);

/** Reads the form of a request when its account has a place for an upload, and removes its file after use. */
export async function withForm<Result>(
  request: FastifyRequest,
  context: AreaContext,
  parts: Pick<FormOptions, 'media' | 'texts' | 'textBytes'>,
  use: (form: Form) => Promise<Result>,
): Promise<Result> {
  const { limits, openUpload: openFile } = context;
  const onText = (bytes: number) => request.heldBody.add(bytes);
  const read = () => readForm(request, { ...parts, uploadBytes: limits.uploadBytes, onText, openFile });
  return withUpload(request, context, read, use);
}

/** Reads the body of a request when its account has a place for an upload, and removes its file after use. */
export async function withUpload<Upload extends Pick<Form, 'media'>, Result>(
  request: FastifyRequest,
  { limits, uploads }: AreaContext,
  read: () => Promise<Upload>,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const bytes = Number(request.headers['content-length'] ?? 0);
  if (bytes > limits.uploadBytes) throw new ProblemError('payloadTooLarge');
  using slot = uploads.take(request.accountId);
  if (!slot) throw tooManyRequests(UPLOAD_WAIT_MS);
  const form = await read();
  try {
    return await use(form);
  } finally {
    await removeMedia(form);
  }
}

/** Returns the options of a form as JSON, with the names of parts that another one replaces. */
async function optionsOf({ texts }: Form) {
  const byName = new Map(texts.map(({ name, bytes }) => [name, bytes]));
  const repeated = texts.find(({ name, bytes }) => byName.get(name) !== bytes);
  if (repeated) throw partFault(repeated.name, 'must be given once');
  const [name, ...unread] = [...OPTIONS_PARTS].filter(part => byName.has(part));
  if (name === undefined) return { json: undefined, bytes: 0, unread };
  const given = byName.get(name)!;
  await refuseComplexJson(given);
  const json = given.length === 0 ? {} : jsonOf(given.toString());
  if (json === undefined) throw partFault(name, 'must be JSON');
  return { json, bytes: given.length, unread };
}

interface Submitted {
  readonly accountId: string;
  readonly requestId: string;
  readonly json: unknown;
  readonly form?: Pick<Form, 'media'>;
  /** Names of parts and fields that have no effect. Default: none. */
  readonly ignored?: readonly string[];
}

/** The fields common to all areas. */
interface CommonSubmission {
  readonly metadata?: string;
  readonly language?: string;
  readonly notification_config?: AddressJson;
  readonly callback_url?: string;
  readonly delete_after_seconds?: number;
  readonly custom_vocabulary_id?: string;
  readonly source_config?: AddressJson;
  readonly media_url?: string;
}

/**
 * Checks a submission, and submits its job.
 *
 * @throws ProblemError
 */
export async function submit(area: Area, context: AreaContext, submitted: Submitted): Promise<JobRecord> {
  const { accountId, requestId, json, form } = submitted;
  refuseUnsupported(context.region, json);
  const missing: readonly Fault[] = form && !form.media ? [['media', 'is required']] : [];
  const languages = context.languages[area.name];
  const { submission, ignored } = await readSubmission(area.submission, json, {
    isUpload: form !== undefined,
    languages,
    allowPrivateAddresses: context.allowPrivateAddresses,
    name: form ? 'options' : 'request',
    faults: missing,
    ignored: submitted.ignored ?? [],
  });
  const common: CommonSubmission = submission;
  await requireVocabulary(context, accountId, common.custom_vocabulary_id);
  const prefix = area.idPrefix ?? '';
  const { isFree = area.submission.isFree, ...job } = area.submission.toJob({
    ...submission,
    language: common.language ?? languages?.byDefault,
  });
  return submitJob(context, {
    ...job,
    id: prefix + createId(ID_LENGTH - prefix.length),
    accountId,
    requestId,
    traceparent: activeTraceparent(),
    name: form?.media?.name ?? nameOf(addressOf(common.source_config, common.media_url)?.url),
    metadata: common.metadata,
    options: echoOf(submission, ignored),
    notification: addressOf(common.notification_config, common.callback_url),
    deleteAfterSeconds: common.delete_after_seconds,
    media: form?.media?.path,
    reserveSeconds: isFree ? 0 : await secondsOf(form),
  });
}

async function submitJob({ jobs }: AreaContext, submission: Submission): Promise<JobRecord> {
  try {
    return await jobs.submit(submission);
  } catch (error) {
    if (!(error instanceof OutOfCreditError)) throw error;
    const seconds = Math.floor(error.balanceSeconds);
    throw new ProblemError('outOfCredit', {
      detail: `The job needs more credit than the remaining ${seconds} seconds.`,
      current_balance: seconds,
    });
  }
}

/** @throws ProblemError `vocabularyNotFound` unless the vocabulary exists and is complete */
async function requireVocabulary(
  { jobs }: AreaContext,
  accountId: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return;
  const { type, status } = (await jobs.find(accountId, id)) ?? {};
  if (type !== VOCABULARY_TYPE || status !== 'done') {
    throw new ProblemError('vocabularyNotFound', {
      detail: 'custom_vocabulary_id names no complete vocabulary.',
    });
  }
}

async function secondsOf(form: Submitted['form']): Promise<number> {
  return (form?.media && (await headerSeconds(form.media.path))) ?? UNKNOWN_SECONDS;
}

function nameOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : downloadName(new URL(url));
}

/** Fields stored in columns of their own. */
const RECORDED = ['metadata', 'language', 'delete_after_seconds'];
/** Fields too large to be shown again. */
const BULKY = ['custom_vocabularies', 'transcript_text', 'text', 'json'];

/** Returns the options that a job shows: as submitted, without credentials and large fields; and the ignored ones. */
function echoOf(
  submission: Readonly<Record<string, unknown>>,
  ignored: readonly string[],
): Record<string, unknown> | undefined {
  const shown = Object.entries(submission).filter(([name]) => ![...RECORDED, ...BULKY].includes(name));
  if (ignored.length > 0) shown.push(['ignored_options', ignored]);
  return shown.length === 0
    ? undefined
    : Object.fromEntries(shown.map(([name, value]) => [name, withoutCredentials(value)]));
}

/** Reduces the object of an address to the address itself. */
function withoutCredentials(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'url' in value ? { url: value.url } : value;
}
