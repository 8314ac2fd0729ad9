/** What a page can play, by the name of the file in the report. */
export type ReportMedia = ReadonlyMap<string, FileMedia>;

export interface FileMedia {
  /** A path, or what opens the bytes of an audio file anew for each call: a cassette may have it inside. */
  readonly audio: string | (() => AsyncIterable<Uint8Array>);
}
