/** Unit of the reading speed. */
export type SpeedUnit = 'characters' | 'words' | 'bytes';

/** Limits for captions, as published by one organisation. */
export interface CaptionProfile {
  /** Maximum number of columns in a line; full-width characters count as two. */
  readonly columns: number;
  /** Maximum number of lines in a cue. */
  readonly rows: number;
  readonly speed: {
    readonly unit: SpeedUnit;
    /** Units per second. Cues stay on screen until they can be read at this speed, where the silence after them allows it. */
    readonly comfortable: number;
    /** Units per second above which a cue is a violation. */
    readonly most: number;
  };
  /** True where `>>` marks another speaker, not the name. Default false: `>>` marks one without a name. */
  readonly marksSpeakers?: boolean;
  /** Least seconds on screen. */
  readonly minSeconds: number;
  /** Least seconds on screen for each word. */
  readonly minSecondsPerWord: number;
  /** Maximum seconds on screen. */
  readonly maxSeconds: number;
  /** Least seconds between two cues. */
  readonly minGapSeconds: number;
  /** Gaps shorter than this, in seconds, are reduced to `minGapSeconds`. */
  readonly closeGapsBelowSeconds: number;
  /**
   * Maximum seconds by which a cue may begin after its speech so that the cue before does not violate the speed limit; half of
   * them, so that the cue before has the comfortable speed.
   */
  readonly maxLagSeconds: number;
}

export type CaptionProfileName = 'netflix' | 'bbc' | 'dcmp' | 'ted' | 'cea608';

const PER_MINUTE = 1 / 60;
/** Two frames at 24 frames per second. */
const TWO_FRAMES_SECONDS = 2 / 24;

const NO_LIMITS = {
  minSeconds: 0,
  minSecondsPerWord: 0,
  maxSeconds: Number.POSITIVE_INFINITY,
  minGapSeconds: 0,
  closeGapsBelowSeconds: 0,
  maxLagSeconds: 0,
} as const;

/**
 * Published limits by name. Sources: Netflix Timed Text Style Guide, BBC Subtitle Guidelines, DCMP Captioning Key, TED
 * subtitling guidelines, and CEA-608.
 */
export const CAPTION_PROFILES: Readonly<Record<CaptionProfileName, CaptionProfile>> = {
  netflix: {
    ...NO_LIMITS,
    columns: 42,
    rows: 2,
    speed: { unit: 'characters', comfortable: 20, most: 20 },
    minSeconds: 5 / 6,
    maxSeconds: 7,
    minGapSeconds: TWO_FRAMES_SECONDS,
  },
  bbc: {
    ...NO_LIMITS,
    marksSpeakers: true,
    columns: 37,
    rows: 2,
    speed: { unit: 'words', comfortable: 160 * PER_MINUTE, most: 180 * PER_MINUTE },
    minSecondsPerWord: 0.3,
    closeGapsBelowSeconds: 1,
    maxLagSeconds: 3,
  },
  dcmp: {
    ...NO_LIMITS,
    marksSpeakers: true,
    columns: 32,
    rows: 2,
    speed: { unit: 'words', comfortable: 160 * PER_MINUTE, most: 225 * PER_MINUTE },
    minSeconds: 2,
    minSecondsPerWord: 1 / (225 * PER_MINUTE),
    maxLagSeconds: 3,
  },
  ted: {
    ...NO_LIMITS,
    columns: 42,
    rows: 2,
    speed: { unit: 'characters', comfortable: 21, most: 21 },
    minSeconds: 1.1,
    maxSeconds: 7,
  },
  cea608: {
    ...NO_LIMITS,
    marksSpeakers: true,
    columns: 32,
    rows: 4,
    speed: { unit: 'bytes', comfortable: 60, most: 60 },
  },
};

/** Returns the length of a text in the unit of a reading speed. */
export function readingAmount(text: string, unit: SpeedUnit): number {
  switch (unit) {
    case 'characters':
      return [...text].length;
    case 'words':
      return text.split(/\s+/u).filter(word => word !== '').length;
    case 'bytes':
      return new TextEncoder().encode(text).length;
  }
}

/**
 * Returns the seconds for which a text should be on screen.
 *
 * @param amount result of {@link readingAmount}
 */
export function comfortableSeconds(amount: number, words: number, profile: CaptionProfile): number {
  return Math.max(leastSeconds(amount, words, profile), amount / profile.speed.comfortable);
}

/** Returns the seconds for which a text must be on screen; less is a violation. */
export function leastSeconds(amount: number, words: number, profile: CaptionProfile): number {
  const { speed, minSeconds, minSecondsPerWord } = profile;
  return Math.max(minSeconds, minSecondsPerWord * words, amount / speed.most);
}
