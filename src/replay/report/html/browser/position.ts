/** The position of the page in the audio of a run. */
export interface Position {
  /** Seconds. */
  readonly seconds: number;
  /** Moves to a time, with or without sound. */
  seek(seconds: number): void;
  /** Plays or pauses; does nothing without sound. */
  toggle(): void;
  /** Calls a listener immediately and at each change. */
  onChange(listener: (seconds: number, isPlaying: boolean) => void): void;
}

export function createPosition(audio: HTMLAudioElement | null, length: number): Position {
  const listeners: ((seconds: number, isPlaying: boolean) => void)[] = [];
  let now = 0;
  const notify = (isPlaying: boolean) => {
    for (const listener of listeners) listener(now, isPlaying);
  };
  const follow = () => {
    if (!audio) return;
    now = audio.currentTime;
    notify(!audio.paused);
    if (!audio.paused) requestAnimationFrame(follow);
  };
  audio?.addEventListener('play', follow);
  audio?.addEventListener('seeked', follow);
  return {
    get seconds() {
      return now;
    },
    seek(seconds) {
      now = Math.max(0, Math.min(length, seconds));
      if (audio) audio.currentTime = now;
      notify(audio !== null && !audio.paused);
    },
    toggle() {
      if (audio?.paused) void audio.play();
      else audio?.pause();
    },
    onChange(listener) {
      listeners.push(listener);
      listener(now, false);
    },
  };
}
