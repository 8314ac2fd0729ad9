/** Endings of transcript files; each is a format. */
export const TRANSCRIPT_ENDINGS = ['.srt', '.vtt', '.ttml', '.scc', '.txt', '.jsonl', '.json'] as const;

export type TranscriptEnding = (typeof TRANSCRIPT_ENDINGS)[number];

/** Returns the format of a file name; undefined for another ending. */
export function transcriptEnding(path: string): TranscriptEnding | undefined {
  // A name that is an ending alone, such as that of a hidden file, has none.
  return TRANSCRIPT_ENDINGS.find(ending => ending === /[^/\\]+(\.\w+)$/.exec(path.toLowerCase())?.[1]);
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
