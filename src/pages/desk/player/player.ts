import type { DeskAudioJson } from '../../../protocol/desk.ts';
import { openAudioSource } from './audioSource.ts';
import { jump, nearestPlayable, nextMove, playableFrom, type Span } from './spans.ts';

export interface PlayerState {
  readonly isPlaying: boolean;
  readonly speed: number;
  /** The part that is repeated. */
  readonly loop?: Span;
  /** A sentence while the audio cannot be loaded. */
  readonly problem: string;
}

export interface PlayerOptions {
  readonly address: () => Promise<DeskAudioJson>;
  /** Parts to be played, in order. */
  readonly spans: readonly Span[];
  readonly at: number;
  readonly speed: number;
  readonly onState: (state: PlayerState) => void;
  /** Called with the place in seconds, on each frame that is drawn while the audio plays, and after each move. */
  readonly onTime: (seconds: number) => void;
}

export const SPEEDS = { least: 0.5, most: 2, step: 0.1 } as const;

/** The audio of a job within its segments. */
export type Player = ReturnType<typeof openPlayer>;

export function openPlayer({ address, spans, at, speed, onState, onTime }: PlayerOptions) {
  const audio = new Audio();
  audio.preload = 'auto';
  audio.preservesPitch = true;
  let state: PlayerState = { isPlaying: false, speed, problem: '' };
  const change = (changes: Partial<PlayerState>) => {
    state = { ...state, ...changes };
    onState(state);
  };
  const moveTo = (seconds: number) => {
    audio.currentTime = seconds;
    onTime(seconds);
  };
  const play = () => {
    const from = playableFrom(spans, audio.currentTime);
    if (from !== audio.currentTime) moveTo(from ?? spans[0]?.start ?? 0);
    audio.play().catch(() => undefined);
  };
  const setSpeed = (next: number) => {
    audio.defaultPlaybackRate = next;
    audio.playbackRate = next;
    change({ speed: next });
  };
  const stopFollowing = followAudio(audio, {
    onPlaying: isPlaying => change({ isPlaying }),
    onEnd: () => {
      if (!state.loop) return;
      moveTo(state.loop.start);
      play();
    },
    onStep: () => {
      const move = nextMove(spans, audio.currentTime, state.loop);
      if (move === 'stop') audio.pause();
      else if (move) audio.currentTime = move.to;
      onTime(audio.currentTime);
    },
  });
  setSpeed(speed);
  audio.currentTime = nearestPlayable(spans, at);
  const source = openAudioSource({ audio, address, onProblem: problem => change({ problem }) });
  return {
    audio,
    get state() {
      return state;
    },
    get at() {
      return audio.currentTime;
    },
    play,
    /** Pauses, and goes back by a number of seconds. */
    pause: (stepBack: number) => {
      audio.pause();
      if (stepBack > 0) moveTo(jump(spans, audio.currentTime, -stepBack));
    },
    /** Goes to the place, or to the next place within the segments. */
    seek: (seconds: number) => moveTo(nearestPlayable(spans, seconds)),
    jump: (seconds: number) => moveTo(jump(spans, audio.currentTime, seconds)),
    setSpeed,
    setVolume: (volume: number) => {
      audio.volume = volume;
    },
    setLoop: (loop: Span | undefined) => change({ loop }),
    /** Loads the audio again, after logging in. */
    renew: source.renew,
    close: () => {
      stopFollowing();
      source.close();
    },
  };
}

interface FollowOptions {
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly onEnd: () => void;
  /** Called on each frame that is drawn while the audio plays, but not while it seeks. */
  readonly onStep: () => void;
}

/** Calls while audio plays. Returns a function that ends it. */
function followAudio(audio: HTMLAudioElement, { onPlaying, onEnd, onStep }: FollowOptions): () => void {
  const closing = new AbortController();
  const { signal } = closing;
  let frame = 0;
  const step = () => {
    if (!audio.seeking && !audio.paused) onStep();
  };
  const draw = () => {
    step();
    frame = requestAnimationFrame(draw);
  };
  const onChange = (isPlaying: boolean) => {
    cancelAnimationFrame(frame);
    if (isPlaying) frame = requestAnimationFrame(draw);
    onPlaying(isPlaying);
  };
  audio.addEventListener('play', () => onChange(true), { signal });
  audio.addEventListener('pause', () => onChange(false), { signal });
  audio.addEventListener('ended', onEnd, { signal });
  // A hidden tab draws no frames, but must keep to the segments too.
  audio.addEventListener('timeupdate', step, { signal });
  return () => {
    closing.abort();
    cancelAnimationFrame(frame);
  };
}
