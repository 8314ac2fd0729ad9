/** What a text's reading speed is counted in. */
export type SpeedUnit = 'characters' | 'words' | 'bytes';

/** The limits that one house sets for captions. */
export interface CaptionProfile {
  /** Terminal columns a line: characters, where a full-width one counts as two. */
  readonly columns: number;
  /** Lines a cue. */
  readonly rows: number;
  readonly speed: {
    readonly unit: SpeedUnit;
    /** A second; cues are held on screen until they can be read at this speed, where there is silence to do so. */
    readonly comfortable: number;
    /** A second; faster is a violation. */
    readonly most: number;
  };
  /** Seconds on screen. */
  readonly minSeconds: number;
  /** Seconds on screen for each word. */
  readonly minSecondsPerWord: number;
  /** Seconds on screen. */
  readonly maxSeconds: number;
  /** Seconds between two cues. */
  readonly minGapSeconds: number;
  /** Gaps shorter than this, in seconds, are closed down to `minGapSeconds`. */
  readonly closeGapsBelowSeconds: number;
}

export type CaptionProfileName = 'netflix' | 'bbc' | 'dcmp' | 'ted' | 'cea608';

const PER_MINUTE = 1 / 60;
/** Two frames of film. */
const TWO_FRAMES_SECONDS = 2 / 24;

const NO_LIMITS = {
  minSeconds: 0,
  minSecondsPerWord: 0,
  maxSeconds: Number.POSITIVE_INFINITY,
  minGapSeconds: 0,
  closeGapsBelowSeconds: 0,
} as const;

/** Published limits: Netflix timed text, BBC subtitle guidelines, DCMP captioning key, TED subtitles, CEA-608. */
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
    columns: 37,
    rows: 2,
    speed: { unit: 'words', comfortable: 160 * PER_MINUTE, most: 180 * PER_MINUTE },
    minSecondsPerWord: 0.3,
    closeGapsBelowSeconds: 1,
  },
  dcmp: {
    ...NO_LIMITS,
    columns: 32,
    rows: 2,
    speed: { unit: 'words', comfortable: 160 * PER_MINUTE, most: 225 * PER_MINUTE },
    minSeconds: 2,
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
    columns: 32,
    rows: 4,
    speed: { unit: 'bytes', comfortable: 60, most: 60 },
  },
};

/** How much there is to read in a text, in the unit of a profile's speed. */
export function readingAmount(text: string, unit: SpeedUnit): number {
  switch (unit) {
    case 'characters':
      return [...text].length;
    case 'words':
      return text.split(/\s+/u).filter(word => word !== '').length;
    case 'bytes':
      return Buffer.byteLength(text);
  }
}

/**
 * Seconds that a text should stand on the screen.
 *
 * @param amount as {@link readingAmount} gives it
 */
export function comfortableSeconds(amount: number, words: number, profile: CaptionProfile): number {
  return Math.max(leastSeconds(amount, words, profile), amount / profile.speed.comfortable);
}

/** Seconds that a text must stand on the screen; less is a violation. */
export function leastSeconds(amount: number, words: number, profile: CaptionProfile): number {
  const { speed, minSeconds, minSecondsPerWord } = profile;
  return Math.max(minSeconds, minSecondsPerWord * words, amount / speed.most);
}
