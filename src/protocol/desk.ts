/** The calls of the desk page, where people transcribe human jobs. All are below {@link DESK_API_PREFIX}. */
import { type Static, Type } from 'typebox';
import { DESK_LIMITS } from './limits.ts';

export const DESK_PREFIX = '/desk';
export const DESK_API_PREFIX = `${DESK_PREFIX}/api`;

export const DESK_ROLES = ['transcriber', 'admin'] as const;
export type DeskRole = (typeof DESK_ROLES)[number];

/** Text on one line that a database can store: without control characters and lone surrogates. */
const Line = (limits: { readonly minLength?: number; readonly maxLength: number }) =>
  Type.String({ ...limits, pattern: '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]*$' });
const Name = Type.String({
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._@-]*$',
  maxLength: DESK_LIMITS.nameLength,
  examples: ['ann'],
});
const Seconds = Type.Number({ minimum: 0, maximum: 1_000_000 });
const Count = Type.Integer({ minimum: 0 });
/** Limit of the database. */
const Revision = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 2 });

export const LogInSchema = Type.Object({
  name: Line({ minLength: 1, maxLength: DESK_LIMITS.nameLength }),
  password: Type.String({ minLength: 1, maxLength: DESK_LIMITS.passwordLength.max }),
});

/** Answer of POST and GET `/session`. */
export interface DeskSessionJson {
  readonly name: string;
  readonly role: DeskRole;
  /** Value of `DESK_TOKEN_HEADER`. */
  readonly token: string;
}

/** A job of the queue. Answer of GET `/jobs`, as a list; of POST `/jobs/ID/claim`, which also extends a claim. */
export interface DeskJobJson {
  readonly id: string;
  readonly created_on: string;
  readonly rush: boolean;
  readonly name?: string;
  /** The e-mail address that the operator has given the account, which has no other name. In the queue only. */
  readonly customer?: string;
  /** The customer's own text. */
  readonly metadata?: string;
  readonly speakers_count?: number;
  readonly language: string;
  /** Seconds of the media. */
  readonly duration_seconds: number;
  /** Seconds to be transcribed: those of the segments, or of the media. */
  readonly wanted_seconds: number;
  /** The transcript is expected between these times. */
  readonly due_from: string;
  readonly due_until: string;
  /** The person who has claimed the job, until this time. */
  readonly claimed_by?: string;
  readonly claimed_until?: string;
  /** The person whose claim has lapsed, if nobody has claimed the job since. */
  readonly lapsed_claim_of?: string;
  /** True when somebody has saved a draft. */
  readonly is_begun: boolean;
}

/** A job that a person has finished. Answer of GET `/finished`, as a list of that person's latest, newest first. */
export interface DeskFinishedJson {
  readonly id: string;
  /** Absent when the job has been deleted. The customer is absent when the account has been deleted. */
  readonly name?: string;
  readonly customer?: string;
  /** Seconds that were to be transcribed. */
  readonly seconds?: number;
  readonly finished_on: string;
}

/**
 * A word with a time: start and end (exclusive) in the text of its turn, in UTF-16 units; start and end in seconds; the
 * confidence of the recogniser from 0 to 1, if it recognised the word.
 */
export const DeskWordSchema = Type.Union([
  Type.Tuple([Count, Count, Seconds, Seconds]),
  Type.Tuple([Count, Count, Seconds, Seconds, Type.Number({ minimum: 0, maximum: 1 })]),
]);
export type DeskWord = Static<typeof DeskWordSchema>;

/** A paragraph of one speaker: a line of the page. Words without times are not in `words`. */
export const DeskTurnSchema = Type.Object({
  speaker: Type.Integer({ minimum: 0, maximum: DESK_LIMITS.maxSpeaker }),
  text: Line({ maxLength: DESK_LIMITS.turnLength }),
  /** In the order of the text, without overlap. */
  words: Type.Array(DeskWordSchema, { maxItems: DESK_LIMITS.turnLength }),
});
export type DeskTurn = Static<typeof DeskTurnSchema>;

export const DeskTurnsSchema = Type.Array(DeskTurnSchema, { maxItems: DESK_LIMITS.turns });

export const DeskSpeakerNamesSchema = Type.Array(Line({ maxLength: DESK_LIMITS.speakerNameLength }), {
  maxItems: DESK_LIMITS.maxSpeaker + 1,
});
export type DeskSpeakerNames = readonly string[];

/** Answer of GET `/jobs/ID/draft` and, with the text of the machine and revision 0, of GET `/jobs/ID/machine`. */
export interface DeskDraftJson {
  /** Number of saves; 0 for the text of the machine, which can be changed once the draft has been read. */
  readonly revision: number;
  readonly turns: readonly DeskTurn[];
  /** Names that people have given, by the number of the speaker; empty for a speaker without one. Default: none. */
  readonly speaker_names?: DeskSpeakerNames;
  /** The person who saved this revision, and the time. Not set for the text of the machine. */
  readonly saved_by?: string;
  readonly saved_on?: string;
}

/** Body of PATCH `/jobs/ID/draft`: turns from index `from` up to index `to` (exclusive) are replaced. */
export const DeskChangeSchema = Type.Object({
  /** The revision that is changed; 409 with `current_value: "revision"` when a later one has been saved. */
  revision: Revision,
  from: Count,
  to: Count,
  turns: DeskTurnsSchema,
  /** Default: those of the revision that is changed. */
  speaker_names: Type.Optional(DeskSpeakerNamesSchema),
});
export type DeskChange = Static<typeof DeskChangeSchema>;

/** Answer of PATCH `/jobs/ID/draft`. */
export interface DeskSavedJson {
  readonly revision: number;
}

/** Answer of GET `/jobs/ID`: the job and the wishes of the customer. */
export interface DeskOpenJobJson {
  readonly job: DeskJobJson;
  readonly verbatim: boolean;
  readonly filter_profanity: boolean;
  readonly remove_disfluencies: boolean;
  readonly skip_punctuation: boolean;
  readonly skip_diarization: boolean;
  readonly speakers_count?: number;
  /** Names that the customer gave. A person assigns them to speakers by ear. */
  readonly speaker_names: readonly string[];
  /** Terms of the customer's vocabulary. */
  readonly phrases: readonly string[];
  /** Parts to be transcribed, in order; at least one. The audio is silent outside. */
  readonly segments: readonly { readonly start: number; readonly end: number }[];
}

/** Answer of GET `/jobs/ID/peaks`: the loudest sample of each span of the audio. */
export interface DeskPeaksJson {
  readonly seconds: number;
  readonly per_second: number;
  /** A byte for each span, 0 to 255, in base64. */
  readonly peaks: string;
}

/** Answer of POST `/jobs/ID/audio`: the address of the audio, relative to the page, for this session only. */
export interface DeskAudioJson {
  readonly url: string;
  readonly expires_on: string;
}

/** Body of POST `/jobs/ID/proposals`: a term for the customer's vocabulary. */
export const DeskProposalSchema = Type.Object({
  phrase: Line({ minLength: 1, maxLength: DESK_LIMITS.phraseLength }),
});

/** A term that a transcriber proposes. Answer of GET `/proposals` for admins, as a list. */
export interface DeskProposalJson {
  readonly account_id: string;
  readonly phrase: string;
  readonly job_id: string;
  readonly proposed_by: string;
  readonly proposed_on: string;
}

/** Body of POST `/jobs/ID/finish`: the revision saved last. */
export const DeskFinishSchema = Type.Object({ revision: Revision });

/**
 * Answer with status 202 of POST `/jobs/ID/finish`, and of the corresponding calls of administration, while the work continues.
 * A repeated call continues the wait, and is answered with 204 when the job has ended.
 */
export interface DeskEndingJson {
  /** Share of the audio that has been heard to align words without times, 0 to 1. */
  readonly progress: number;
}

/** An action at the desk. Answer of GET `/events` for admins, as a list, newest first. */
export interface DeskEventJson {
  readonly on: string;
  readonly user: string;
  readonly action: string;
  readonly job_id?: string;
  /** Address of the client whose log-in failed; `user` is then the name as it was typed. */
  readonly address?: string;
}

/** Figures of the desk. The figures of work are of the last seven days. Answer of GET `/figures` for admins. */
export interface DeskFiguresJson {
  /** Jobs that wait for a person, claimed ones included. */
  readonly waiting: number;
  readonly claimed: number;
  readonly overdue: number;
  /** Seconds for which the oldest job has waited; 0 without one. */
  readonly oldest_seconds: number;
  readonly people: readonly {
    readonly name: string;
    /** Seconds of audio finished since midnight at the service, and in all. */
    readonly today_seconds: number;
    readonly week_seconds: number;
    /** Seconds during which the person had claimed jobs, until each claim ended. */
    readonly work_seconds: number;
  }[];
  readonly customers: readonly {
    /** Absent when the account has been deleted. */
    readonly customer?: string;
    /** Words of the machine, and how many of them are not in the finished text; letter case and marks do not count. */
    readonly words: number;
    readonly changed_words: number;
  }[];
}

/** A user of the desk. Answer of GET `/users` for admins, as a list. */
export interface DeskUserJson {
  readonly name: string;
  readonly role: DeskRole;
  readonly created_on: string;
  readonly disabled_on?: string;
}

/** Body to add a user. */
export const NewDeskUserSchema = Type.Object({
  name: Name,
  role: Type.Union(DESK_ROLES.map(role => Type.Literal(role))),
  password: Type.String({
    minLength: DESK_LIMITS.passwordLength.min,
    maxLength: DESK_LIMITS.passwordLength.max,
  }),
});

/** Body to change a password. */
export const DeskPasswordSchema = Type.Pick(NewDeskUserSchema, ['password']);

/** Values of `current_value` in the problems of status 409. */
export const DESK_CONFLICTS = [
  /** The job is finished, or has been deleted. */
  'ended',
  /** Another person has claimed the job. */
  'claimed',
  /** The claim of this person has lapsed; the job may be claimed again. */
  'lapsed',
  /** Another window, or another person, has saved a later revision. */
  'revision',
] as const;
export type DeskConflict = (typeof DESK_CONFLICTS)[number];
