/** A fault of audio that could still be read in part. */
export interface AudioWarning {
  /**
   * `audio-truncated`: the end is missing. `audio-damaged`: a part is missing or wrong. `audio-unread`: bytes after the audio
   * could not be read. `audio-cancelled`: channels cancel each other out in their mix.
   */
  readonly code: 'audio-truncated' | 'audio-damaged' | 'audio-unread' | 'audio-cancelled';
  readonly message: string;
}

/** Receives warnings. */
export type OnAudioWarning = (warning: AudioWarning) => void;
