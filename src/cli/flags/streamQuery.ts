import type { StreamQuery } from '../../protocol/streamQuery.ts';

/** Options of a stream that flags can set. */
export type QueryFlags = Omit<StreamQuery, 'contentType'>;

/** Names of all options; the compiler rejects an incomplete list. */
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
} satisfies Record<keyof QueryFlags, true>) as readonly (keyof QueryFlags)[];

/** Returns the flags that are options of a stream; the others are for this side. */
export function streamQueryOf(flags: QueryFlags): QueryFlags {
  return Object.fromEntries(
    NAMES.flatMap(name => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
  );
}
