import type { FastifyInstance } from 'fastify';
import { headerSeconds } from '../../audio/source/probe.ts';
import { createId } from '../../base/ids.ts';
import { OutOfCreditError, type Submission } from '../jobs/jobs.ts';
import { downloadName } from '../outbound/fileName.ts';
import { ProblemError, tooManyRequests } from '../problems.ts';
import { refuseUnsupported } from '../region.ts';
import type { JobRecord } from '../store/jobRecord.ts';
import { activeTraceparent } from '../telemetry/tracing.ts';
import { type Form, readForm, removeMedia } from '../uploads/form.ts';
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
    if (Number(request.headers['content-length'] ?? 0) > limits.uploadBytes) {
      throw new ProblemError('payloadTooLarge');
    }
    using slot = context.uploads.take(accountId);
    if (!slot) throw tooManyRequests(UPLOAD_WAIT_MS);
    const form = await readForm(request, {
      uploadBytes: limits.uploadBytes,
      optionsBytes: bodyLimit,
      onOptions: bytes => request.heldBody.add(bytes),
      openFile: () => context.openUpload(),
    });
    try {
      refuseLongJson(area.submission, limits, { json: form.options, bytes: form.optionsBytes });
      return viewIn(area, await submit(area, context, { accountId, requestId, json: form.options, form }));
    } finally {
      await removeMedia(form);
    }
  });
}

interface Submitted {
  readonly accountId: string;
  readonly requestId: string;
  readonly json: unknown;
  readonly form?: Form;
}

/** The fields common to all areas. */
interface CommonSubmission {
  readonly metadata?: string;
  readonly notification_config?: AddressJson;
  readonly callback_url?: string;
  readonly delete_after_seconds?: number;
  readonly custom_vocabulary_id?: string;
  readonly source_config?: AddressJson;
  readonly media_url?: string;
}

async function submit(area: Area, context: AreaContext, submitted: Submitted): Promise<JobRecord> {
  const { accountId, requestId, json, form } = submitted;
  refuseUnsupported(context.region, json);
  const missing: readonly Fault[] = form && !form.media ? [['media', 'is required']] : [];
  const { submission, ignored } = await readSubmission(area.submission, json, {
    isUpload: form !== undefined,
    languages: context.languages[area.name],
    allowPrivateAddresses: context.allowPrivateAddresses,
    name: form ? 'options' : 'request',
    faults: missing,
    ignored: form?.ignoredParts ?? [],
  });
  const common: CommonSubmission = submission;
  await requireVocabulary(context, accountId, common.custom_vocabulary_id);
  const prefix = area.idPrefix ?? '';
  const { isFree = area.submission.isFree, ...job } = area.submission.toJob(submission);
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

async function secondsOf(form: Form | undefined): Promise<number> {
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
  const isAddress = typeof value === 'object' && value !== null && 'url' in value;
  return isAddress ? { url: value.url } : value;
}
