import { type Static, Type } from 'typebox';
import type { DeskDraftJson, DeskOpenJobJson } from './desk.ts';
import { MAX_DELETE_AFTER_SECONDS } from './limits.ts';

/** Schemas of the administration interface, below `ADMIN_PREFIX`. */

/** Least number of characters of an admin token. */
export const MIN_ADMIN_TOKEN_LENGTH = 32;

/** Name of the socket in the data directory of a service, for operators on the same machine. */
export const ADMIN_SOCKET_NAME = 'admin.sock';

const TimeSchema = Type.String({ format: 'date-time' });

/** A loose check: valid e-mail addresses take too many forms for a stricter one. */
export const EmailSchema = Type.String({
  pattern: '^[^@\\s\\u0000-\\u001f]+@[^@\\s\\u0000-\\u001f]+$',
  maxLength: 254,
  examples: ['ann@example.org'],
});

/** Limits of an account. */
export const LimitsSchema = Type.Object({
  streams: Type.Integer(),
  jobs_in_progress: Type.Integer(),
  requests_per_second: Type.Number(),
  request_burst: Type.Integer(),
});

export const SettingsSchema = Type.Object({
  email: Type.String(),
  /** Retention of jobs that do not set their own. Absent: the maximum. */
  delete_after_seconds: Type.Optional(Type.Integer()),
  /** True when notifications are signed. */
  has_signing_secret: Type.Boolean(),
  /** The limits in force: of the account, else of the service. */
  limits: LimitsSchema,
  /** Returned once, in the answer that creates it. */
  signing_secret: Type.Optional(Type.String()),
});

const orDefault = (schema: ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Number>) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** Changes of settings: absent fields stay, and null resets a field to the default of the service. */
export const SettingsChangeSchema = Type.Object({
  email: Type.Optional(EmailSchema),
  delete_after_seconds: orDefault(Type.Integer({ minimum: 0, maximum: MAX_DELETE_AFTER_SECONDS })),
  /** `new` replaces the secret by a new one, null removes it. */
  signing_secret: Type.Optional(Type.Union([Type.Literal('new'), Type.Null()])),
  limits: Type.Optional(
    Type.Object({
      streams: orDefault(Type.Integer({ minimum: 0, maximum: 10_000 })),
      jobs_in_progress: orDefault(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      requests_per_second: orDefault(Type.Number({ minimum: 0.01, maximum: 10_000 })),
      request_burst: orDefault(Type.Integer({ minimum: 1, maximum: 100_000 })),
    }),
  ),
});

export const AccountRecordSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  balance_seconds: Type.Integer(),
  /** Part of the balance that is reserved for jobs in progress. */
  reserved_seconds: Type.Integer(),
  created_on: TimeSchema,
  settings: SettingsSchema,
});

/** Text without control characters: a database cannot store all of them. */
const lineOfText = (maxLength: number) => Type.String({ pattern: '^[^\\u0000-\\u001f]+$', maxLength });
const MAX_CREDIT_SECONDS = 1e12;

export const NewAccountSchema = Type.Object({
  email: EmailSchema,
  credit_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_CREDIT_SECONDS })),
});

/** A change of credit; a negative one removes credit. */
export const CreditSchema = Type.Object({
  seconds: Type.Number({ minimum: -MAX_CREDIT_SECONDS, maximum: MAX_CREDIT_SECONDS }),
});

export const NewTokenSchema = Type.Object({ name: Type.Optional(lineOfText(100)) });

export const TokenRecordSchema = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  created_on: TimeSchema,
  /** Time of the last use, accurate to about a minute. */
  last_used_on: Type.Optional(TimeSchema),
  /** Returned once, in the answer that creates it. */
  token: Type.Optional(Type.String()),
});

/** The page of a list of accounts, which is sorted by e-mail address. */
export const AccountListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** E-mail address of the last account of the previous page. */
  starting_after: Type.Optional(lineOfText(254)),
});

/** A job that waits for a person to finish it. */
export const WaitingJobSchema = Type.Object({
  id: Type.String(),
  account_id: Type.String(),
  created_on: TimeSchema,
  /** The transcript is expected between these times. */
  due_from: TimeSchema,
  due_until: TimeSchema,
  /** True for jobs that come before others. */
  rush: Type.Boolean(),
  name: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.String()),
  duration_seconds: Type.Optional(Type.Number()),
  /** The options of the submission, with the names of the interface. */
  options: Type.Optional(Type.Unknown()),
  /** Name of the worker who has claimed it. */
  claimed_by: Type.Optional(Type.String()),
  claimed_until: Type.Optional(TimeSchema),
});

export const WaitingListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});

const WorkerSchema = lineOfText(100);

export const ClaimSchema = Type.Object({
  worker: WorkerSchema,
  seconds: Type.Integer({ minimum: 1, maximum: 7 * 24 * 3600 }),
});

export const ReleaseSchema = Type.Object({ worker: WorkerSchema });

/** Query of the audio of a job: the person who has claimed it. */
export const DeskWorkerQuerySchema = Type.Object({ worker: WorkerSchema });

/** Query of an import: the person who has claimed the job. Default: the job must not be claimed. */
export const DeskImportQuerySchema = Type.Partial(DeskWorkerQuerySchema);

/** A job to be transcribed elsewhere than at the desk, without its audio. */
export interface DeskExportJson {
  readonly instructions: DeskOpenJobJson;
  /** The latest draft, or the text of the machine. */
  readonly words: DeskDraftJson;
  /** The words without times, as text that can be imported. */
  readonly text: string;
  /** False when the same person had claimed the job before. */
  readonly is_new_claim: boolean;
}

export type AccountRecordJson = Static<typeof AccountRecordSchema>;

/** The state of a deletion of an account that is in progress. A repeated request waits for further progress. */
export interface AccountRemovalJson {
  /** Jobs that are left. */
  readonly jobs: number;
}

export type SettingsJson = Static<typeof SettingsSchema>;
export type SettingsChangeJson = Static<typeof SettingsChangeSchema>;
export type TokenRecordJson = Static<typeof TokenRecordSchema>;
export type WaitingJobJson = Static<typeof WaitingJobSchema>;
