import { type Static, Type } from 'typebox';
import { MAX_DELETE_AFTER_SECONDS } from './limits.ts';

/** What operators say to a service, below `ADMIN_PREFIX`. */

/** Characters that an admin token has at least. */
export const MIN_ADMIN_TOKEN_LENGTH = 32;

/** The socket on which operators of the same machine reach a service, in its data directory. */
export const ADMIN_SOCKET_NAME = 'admin.sock';

const TimeSchema = Type.String({ format: 'date-time' });

/** E-mail addresses take too many forms for more. */
export const EmailSchema = Type.String({
  pattern: '^[^@\\s\\u0000-\\u001f]+@[^@\\s\\u0000-\\u001f]+$',
  maxLength: 254,
});

/** What an account may do at once. */
export const LimitsSchema = Type.Object({
  streams: Type.Integer(),
  jobs_in_progress: Type.Integer(),
  requests_per_second: Type.Number(),
  request_burst: Type.Integer(),
});

export const SettingsSchema = Type.Object({
  email: Type.String(),
  /** Of later jobs that do not say; absent is as long as can be. */
  delete_after_seconds: Type.Optional(Type.Integer()),
  /** Its notifications are signed. */
  has_signing_secret: Type.Boolean(),
  /** The account's own, or those of the service. */
  limits: LimitsSchema,
  /** Told once, when it is made. */
  signing_secret: Type.Optional(Type.String()),
});

const orDefault = (schema: ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Number>) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** What is to be different: what is absent stays, and null is as for every account. */
export const SettingsChangeSchema = Type.Object({
  email: Type.Optional(EmailSchema),
  delete_after_seconds: orDefault(Type.Integer({ minimum: 0, maximum: MAX_DELETE_AFTER_SECONDS })),
  /** A new one takes the place of the one before. */
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
  /** Part of the balance: held for jobs in progress. */
  reserved_seconds: Type.Integer(),
  created_on: TimeSchema,
  settings: SettingsSchema,
});

/** Text on one line; a database does not even keep all of the others. */
const lineOfText = (maxLength: number) => Type.String({ pattern: '^[^\\u0000-\\u001f]+$', maxLength });
const MAX_CREDIT_SECONDS = 1e12;

export const NewAccountSchema = Type.Object({
  email: EmailSchema,
  credit_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_CREDIT_SECONDS })),
});

/** Below zero takes credit away. */
export const CreditSchema = Type.Object({
  seconds: Type.Number({ minimum: -MAX_CREDIT_SECONDS, maximum: MAX_CREDIT_SECONDS }),
});

export const NewTokenSchema = Type.Object({ name: Type.Optional(lineOfText(100)) });

export const TokenRecordSchema = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  created_on: TimeSchema,
  /** Within a minute or so. */
  last_used_on: Type.Optional(TimeSchema),
  /** Told once, when it is made. */
  token: Type.Optional(Type.String()),
});

/** Which page of the accounts, which are listed by e-mail address. */
export const AccountListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** E-mail address of the account before the page. */
  starting_after: Type.Optional(lineOfText(254)),
});

/** A job that waits for a person to finish it. */
export const WaitingJobSchema = Type.Object({
  id: Type.String(),
  account_id: Type.String(),
  created_on: TimeSchema,
  /** Before others. */
  rush: Type.Boolean(),
  name: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.String()),
  duration_seconds: Type.Optional(Type.Number()),
  /** What was asked for, in the words of the interface. */
  options: Type.Optional(Type.Unknown()),
  /** The person who has it. */
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

export type AccountRecordJson = Static<typeof AccountRecordSchema>;
export type SettingsJson = Static<typeof SettingsSchema>;
export type SettingsChangeJson = Static<typeof SettingsChangeSchema>;
export type TokenRecordJson = Static<typeof TokenRecordSchema>;
export type WaitingJobJson = Static<typeof WaitingJobSchema>;
