import type { DeskAudioJson } from '../../../protocol/desk.ts';

export interface AudioSourceOptions {
  readonly audio: HTMLAudioElement;
  /** Asks the server for an address of the audio. */
  readonly address: () => Promise<DeskAudioJson>;
  /** Called with a sentence while the audio cannot be loaded, and with an empty text when it can. */
  readonly onProblem: (text: string) => void;
}

/** Milliseconds before its end at which an address is replaced while the audio does not play. */
const EARLY_MS = 60_000;
const RETRY_MS = [1000, 2000, 5000, 10_000] as const;

/**
 * Gives an audio element addresses that expire. An address is replaced at a pause, or when the element fails, so that no
 * renewal interrupts playback without need.
 */
export function openAudioSource({ audio, address, onProblem }: AudioSourceOptions) {
  let expires = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  const closing = new AbortController();
  const { signal } = closing;

  const renew = async () => {
    if (isLoading || signal.aborted) return;
    isLoading = true;
    clearTimeout(timer);
    try {
      const { url, expires_on } = await address();
      if (signal.aborted) return;
      expires = Date.parse(expires_on);
      replaceAddress(audio, url);
      timer = setTimeout(renewAtRest, Math.max(1000, expires - EARLY_MS - Date.now()));
    } catch (error) {
      retry(error instanceof Error ? error.message : '');
    } finally {
      isLoading = false;
    }
  };
  const retry = (reason: string) => {
    if (signal.aborted) return;
    onProblem(`The audio cannot be loaded; another attempt follows. ${reason}`.trim());
    clearTimeout(timer);
    timer = setTimeout(renew, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  };
  const onReady = () => {
    failures = 0;
    onProblem('');
  };
  const renewAtRest = () => {
    if (audio.paused && expires - Date.now() <= EARLY_MS) void renew();
  };
  audio.addEventListener('error', () => audio.hasAttribute('src') && retry(''), { signal });
  audio.addEventListener('pause', renewAtRest, { signal });
  audio.addEventListener('canplay', onReady, { signal });
  void renew();
  return {
    /** Requests another address, and continues at the same place. */
    renew: () => void renew(),
    close: () => {
      closing.abort();
      clearTimeout(timer);
      audio.pause();
      audio.removeAttribute('src');
      audio.load();
    },
  };
}

/** Replaces the address of an element that keeps its place, its speed, and whether it plays. */
function replaceAddress(audio: HTMLAudioElement, url: string): void {
  const { currentTime, playbackRate, paused } = audio;
  audio.defaultPlaybackRate = playbackRate;
  audio.src = new URL(url, document.baseURI).href;
  // Before audio is loaded, this sets the place at which the element will begin.
  audio.currentTime = currentTime;
  if (!paused) audio.play().catch(() => undefined);
}
