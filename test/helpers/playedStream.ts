import type { StreamEffect, StreamEvent, StreamState } from '../../src/client/stream/machine/model.ts';
import { next, startOfStream } from '../../src/client/stream/machine/next.ts';
import type { TranscribeOptions } from '../../src/client/stream/options.ts';
import { type SourceGaps, toAudio, toSource, withGap } from '../../src/client/stream/recovery/sourceTime.ts';
import { streamSettings } from '../../src/client/stream/settings.ts';
import { nodePlatform } from '../../src/client/stream/transcribe.ts';
import { VirtualClock } from '../../src/replay/time/virtualClock.ts';

/** Hz of the audio. */
export const RATE = 16_000;

/** The machine of a stream, whose surroundings a test sets. */
export class PlayedStream {
  readonly clock = new VirtualClock();
  headFrame = 0;
  /** Bytes that wait in the socket of each link. */
  bufferedBytes = 0;
  /** Effects of the last event. */
  effects: readonly StreamEffect[] = [];
  #gaps: SourceGaps = [];
  #state: StreamState;

  /** Starts a stream. */
  constructor(options: Partial<TranscribeOptions> = {}) {
    const { clock } = this;
    const settings = streamSettings({ url: 'ws://host', token: 'token', clock, ...options }, nodePlatform);
    this.#state = startOfStream(settings, { sampleFormat: 'S16LE', sampleRate: RATE, channels: 1 });
    this.put({ type: 'start' });
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Id of the current link. */
  get link(): number {
    return this.#state.current!.id;
  }

  /** Effects of an event, in words; those of audio that does not fit into one chunk come with them. */
  put(event: StreamEvent): readonly string[] {
    let effects = this.#step(event);
    this.effects = effects;
    for (;;) {
      const sent = effects.find(effect => effect.type === 'send');
      if (!sent?.isMore) break;
      effects = this.#step({ type: 'writable', link: sent.link });
      this.effects = [...this.effects, ...effects];
    }
    return this.effects.map(show);
  }

  #step(event: StreamEvent): readonly StreamEffect[] {
    const view = {
      nowMs: this.clock.now(),
      bufferedBytes: () => this.bufferedBytes,
      soundFrames: (from: number, to: number) => Math.max(0, to - from),
      read: (frame: number, maxFrames: number) => this.#read(frame, maxFrames),
    };
    const step = next(this.#state, event, view);
    this.#state = step.state;
    return step.effects;
  }

  /** The source gives so many frames, after a gap. */
  audio(frames: number, gapFrames = 0): readonly string[] {
    const startFrame = this.headFrame + gapFrames;
    const endFrame = startFrame + frames;
    if (gapFrames > 0) this.#gaps = withGap(this.#gaps, { startFrame: this.headFrame, endFrame: startFrame });
    this.headFrame = endFrame;
    return this.put({ type: 'audio', startFrame, endFrame });
  }

  #read(frame: number, maxFrames: number) {
    const startFrame = toSource(this.#gaps, toAudio(this.#gaps, frame));
    const gap = this.#gaps.find(one => one.startFrame > startFrame);
    const frames = Math.min(maxFrames, (gap?.startFrame ?? this.headFrame) - startFrame);
    return frames > 0 ? { startFrame, frames, bytes: new Uint8Array(2 * frames) } : undefined;
  }
}

/** An effect in a few words: `start pong 4`, `status open`, `emit final 0-1`, `end complete`. */
function show(effect: StreamEffect): string {
  switch (effect.type) {
    case 'timer':
      return effect.delayMs === undefined
        ? `stop ${effect.timer}`
        : `start ${effect.timer} ${effect.delayMs}`;
    case 'status':
      return `status ${effect.status.type}${'code' in effect.status ? ` ${effect.status.code}` : ''}`;
    case 'transcript':
      return effect.event.type === 'connected'
        ? `emit connected ${effect.event.id}`
        : `emit ${effect.event.type} ${effect.event.ts}-${effect.event.endTs}`;
    case 'send':
      return `send ${effect.chunk.startFrame}-${effect.chunk.startFrame + effect.chunk.frames}`;
    case 'end':
      return `end ${typeof effect.how === 'object' ? (effect.how.error as Error).name : effect.how}`;
    default:
      return effect.type;
  }
}
