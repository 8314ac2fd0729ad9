/** Endings of transcript files; each is a format. */
export const TRANSCRIPT_ENDINGS = ['.srt', '.vtt', '.ttml', '.scc', '.txt', '.jsonl', '.json'] as const;

export type TranscriptEnding = (typeof TRANSCRIPT_ENDINGS)[number];

/** Returns the format of a file name; undefined for another ending. */
export function transcriptEnding(path: string): TranscriptEnding | undefined {
  return TRANSCRIPT_ENDINGS.find(ending => path.toLowerCase().endsWith(ending));
}

/** Formats that `--format` takes, each with the ending of its files. */
export const TRANSCRIPT_FORMATS = {
  text: '.txt',
  json: '.json',
  srt: '.srt',
  vtt: '.vtt',
  ttml: '.ttml',
  scc: '.scc',
  jsonl: '.jsonl',
} as const satisfies Record<string, TranscriptEnding>;

export type TranscriptFormat = keyof typeof TRANSCRIPT_FORMATS;
