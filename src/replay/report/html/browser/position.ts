import type { PageAudio } from './dom.ts';

declare function requestAnimationFrame(callback: () => void): number;

/** Where the page is in the audio of a run: what plays and what is chosen. */
export interface Position {
  /** Seconds. */
  readonly seconds: number;
  /** Goes there, whether there is sound or not. */
  seek(seconds: number): void;
  /** Plays or pauses; without sound nothing happens. */
  toggle(): void;
  /** Called at once and whenever the place changes. */
  onChange(listener: (seconds: number, isPlaying: boolean) => void): void;
}

export function createPosition(audio: PageAudio | null, length: number): Position {
  const listeners: ((seconds: number, isPlaying: boolean) => void)[] = [];
  let now = 0;
  const tell = (isPlaying: boolean) => {
    for (const listener of listeners) listener(now, isPlaying);
  };
  const follow = () => {
    if (!audio) return;
    now = audio.currentTime;
    tell(!audio.paused);
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
      tell(audio !== null && !audio.paused);
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
