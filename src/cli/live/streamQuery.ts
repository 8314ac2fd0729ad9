import type { StreamQuery } from '../../protocol/streamQuery.ts';

/** What a service can be asked for by flags. */
export type AskedQuery = Omit<StreamQuery, 'contentType'>;

/** Whole: this does not compile when one is missing. */
const NAMES = Object.keys({
  metadata: true,
  language: true,
  customVocabularyId: true,
  customVocabularies: true,
  filterProfanity: true,
  removeDisfluencies: true,
  skipPostprocessing: true,
  deleteAfterSeconds: true,
  userAgent: true,
  detailedPartials: true,
  startTs: true,
  enableSpeakerSwitch: true,
  maxSegmentDurationSeconds: true,
  maxConnectionWaitSeconds: true,
} satisfies Record<keyof AskedQuery, true>) as readonly (keyof AskedQuery)[];

/** Of the flags of a command, what the service is asked for; the others are for this side. */
export function streamQueryOf(flags: AskedQuery): AskedQuery {
  return Object.fromEntries(
    NAMES.flatMap(name => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
  );
}
