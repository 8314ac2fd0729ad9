import type { LiveEvent } from '../../src/transcript/model/events.ts';
import { final, hole, partial, repair } from './transcriptEvents.ts';

const WORD_SECONDS = 0.4;
/** Seconds from the last word of an utterance to its final. */
const FINAL_SECONDS = 0.6;
const LONGEST_UTTERANCE = 14;

/** An utterance of which something was said. */
export interface SaidUtterance {
  readonly channel: number;
  /** Words of its final, each of which is said once in all. */
  readonly words: readonly string[];
  readonly ts: number;
  /** Time of its final; for one that was repaired, of the repair. */
  readonly finalTs: number;
  readonly isRepaired: boolean;
}

interface Progress {
  readonly name: string;
  readonly words: readonly string[];
  readonly ts: number;
  heard: number;
}

/** Words of several meanings, which rules may change. */
export const COMMON_WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'] as const;

/**
 * Speakers on channels with the service that recognises them: partials whose last word is often wrong, and finals. While the
 * service is away, its events wait; then they come at once, or the time is a hole with a later repair.
 */
export class SoakSpeech {
  readonly said: SaidUtterance[] = [];
  readonly #random: () => number;
  readonly #emit: (event: LiveEvent) => void;
  readonly #channels: { progress?: Progress; nextTs: number; count: number; readonly index: number }[];
  readonly #repairs: { readonly ts: number; readonly event: LiveEvent; readonly said: SaidUtterance }[] = [];
  #waiting: { readonly event: LiveEvent; readonly said?: SaidUtterance }[] | undefined;
  #awaySinceTs = 0;

  constructor(channels: number, options: { random: () => number; emit: (event: LiveEvent) => void }) {
    this.#random = options.random;
    this.#emit = options.emit;
    this.#channels = Array.from({ length: channels }, (_, index) => ({ nextTs: 1 + index, count: 0, index }));
  }

  get isAway(): boolean {
    return this.#waiting !== undefined;
  }

  /** Number of utterances so far, by channel. */
  get counts(): readonly number[] {
    return this.#channels.map(({ count }) => count);
  }

  /** Goes on to a time of the audio, in seconds. */
  advance(nowTs: number): void {
    for (const channel of this.#channels) {
      if (channel.progress) this.#hear(channel, channel.progress, nowTs);
      else if (nowTs >= channel.nextTs) channel.progress = this.#begin(channel.index, channel.count++, nowTs);
    }
    while (this.#repairs[0] && this.#repairs[0].ts <= nowTs) {
      const { event, said } = this.#repairs.shift()!;
      this.said.push(said);
      this.#emit(event);
    }
  }

  /** Ends all utterances where they are, as when the audio stops. */
  stop(nowTs: number): void {
    for (const channel of this.#channels) {
      const { progress } = channel;
      channel.progress = undefined;
      channel.nextTs = Number.POSITIVE_INFINITY;
      if (progress && progress.heard > 0) this.#end(channel.index, progress, nowTs);
    }
  }

  /** Continues after `stop`; the time between is a hole. */
  start(stoppedTs: number, nowTs: number): void {
    for (const channel of this.#channels) {
      channel.nextTs = nowTs + this.#random();
      this.#send(onChannel(hole(stoppedTs, nowTs, 'gap'), channel.index));
    }
  }

  /** The service is away. */
  leave(nowTs: number): void {
    this.#waiting ??= [];
    this.#awaySinceTs = nowTs;
  }

  /** The service is back, with what it missed, or with a hole in its place. */
  comeBack(nowTs: number, { hasHole }: { readonly hasHole: boolean }): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    if (!hasHole) {
      for (const { event, said } of waiting) this.#deliver(event, said && { ...said, finalTs: nowTs });
      return;
    }
    for (const channel of this.#channels) {
      const own = waiting.flatMap(({ said }) => (said?.channel === channel.index ? [said] : []));
      const { progress } = channel;
      channel.progress = undefined;
      channel.nextTs = Math.max(nowTs + 0.5, Number.isFinite(channel.nextTs) ? 0 : channel.nextTs);
      const fromTs = Math.min(this.#awaySinceTs, own[0]?.ts ?? nowTs, progress?.ts ?? nowTs);
      const gap = hole(fromTs, nowTs);
      this.#emit(onChannel(gap, channel.index));
      const words = [...own.flatMap(said => said.words), ...(progress?.words.slice(0, progress.heard) ?? [])];
      const ts = nowTs + 20 + 200 * this.#random();
      const said = { channel: channel.index, words, ts: fromTs, finalTs: ts, isRepaired: true };
      const event = onChannel(repair(gap, final(words.join(' '), fromTs, nowTs)), channel.index);
      if (words.length > 0) this.#repairs.push({ ts, event, said });
    }
    this.#repairs.sort((one, other) => one.ts - other.ts);
  }

  #begin(channel: number, count: number, ts: number): Progress {
    const length = 1 + Math.floor(this.#random() * LONGEST_UTTERANCE);
    const name = `c${channel}u${count}`;
    const words = Array.from({ length }, (_, index) =>
      this.#random() < 0.05 ? COMMON_WORDS[Math.floor(this.#random() * 8)]! : `${name}w${index}`,
    );
    return { name, words, ts, heard: 0 };
  }

  #hear(
    channel: { progress?: Progress; nextTs: number; readonly index: number },
    progress: Progress,
    nowTs: number,
  ) {
    const { words, ts } = progress;
    const spoken = Math.min(words.length, Math.floor((nowTs - ts) / WORD_SECONDS));
    if (nowTs >= ts + words.length * WORD_SECONDS + FINAL_SECONDS) {
      channel.progress = undefined;
      channel.nextTs = nowTs + (this.#random() < 0.05 ? 15 * this.#random() : 1.5 * this.#random());
      this.#end(channel.index, { ...progress, heard: words.length }, nowTs);
      return;
    }
    if (spoken <= progress.heard) return;
    progress.heard = spoken;
    if (this.#random() < 0.2) return;
    const heard = words.slice(0, spoken);
    const isWrong = this.#random() < 0.15;
    const text = (isWrong ? heard.with(-1, `${progress.name}x${spoken}`) : heard).join(' ');
    this.#send(onChannel(partial(text, ts, ts + spoken * WORD_SECONDS), channel.index));
  }

  #end(channel: number, { words, heard, ts }: Progress, finalTs: number): void {
    const text = words.slice(0, heard);
    const speaker = channel * 2 + Math.floor(this.#random() * 1.2);
    const event = onChannel(final(`${text.join(' ')}.`, ts, ts + heard * WORD_SECONDS, speaker), channel);
    this.#send(event, { channel, words: text, ts, finalTs, isRepaired: false });
  }

  #send(event: LiveEvent, said?: SaidUtterance): void {
    if (this.#waiting) this.#waiting.push({ event, ...(said && { said }) });
    else this.#deliver(event, said);
  }

  #deliver(event: LiveEvent, said?: SaidUtterance): void {
    if (said) this.said.push(said);
    this.#emit(event);
  }
}

function onChannel<Event extends LiveEvent>(event: Event, channel: number): Event {
  return channel === 0 ? event : { ...event, channel };
}
