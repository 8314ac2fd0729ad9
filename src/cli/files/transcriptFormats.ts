import type { TranscriptEnding } from './transcriptEnding.ts';

/** What `--format` can ask of a transcript, as the ending of a file of that format. */
export const TRANSCRIPT_FORMATS = {
  text: '.txt',
  json: '.json',
  srt: '.srt',
  vtt: '.vtt',
} as const satisfies Record<string, TranscriptEnding>;

export type TranscriptFormat = keyof typeof TRANSCRIPT_FORMATS;
