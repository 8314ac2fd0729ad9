import { join } from 'node:path';
import { BehaviorSubject, Subject } from 'rxjs';
import type { AudioBlock } from '../../src/audio/format/format.ts';
import type { Clock } from '../../src/base/clock.ts';
import { seeded } from '../../src/base/seeded.ts';
import { TRANSCRIPT_ENDINGS } from '../../src/captions/files/transcriptEnding.ts';
import { CaptionRoom } from '../../src/captions/hub/captionRoom.ts';
import { OutputFeed } from '../../src/captions/hub/outputFeed.ts';
import { fileOutput } from '../../src/captions/outputs/files.ts';
import { PageTrack } from '../../src/captions/outputs/page/pageTrack.ts';
import { VirtualClock } from '../../src/replay/time/virtualClock.ts';
import { CAPTION_PROFILES } from '../../src/transcript/cues/captionProfile.ts';
import { faultyHook, postedCaptions, sentRows } from './faultyOutputs.ts';
import { COMMON_WORDS, SoakSpeech } from './soakSpeech.ts';
import { watchedOutput } from './watchedOutput.ts';

const TICK_MS = 200;
/** Hz of the audio, which nobody hears. */
const RATE = 100;
/** Seconds by which outputs are behind. */
export const LATE_SECONDS = 10;
export const BLOCK_SECONDS = 4;
/** Milliseconds between two moments at which everything is read. */
const CHECKPOINT_MS = 600_000;
/** Times as long as in real time are the pauses between two writes of the files. */
const RARER = 120;

/** A span in seconds of the audio. */
export type Span = readonly [fromTs: number, toTs: number];

/**
 * A room with outputs of all kinds, two channels of speech, and an operator, a service and outputs that do something at random
 * moments, in virtual time.
 */
export class CaptionSoak {
  readonly clock = new VirtualClock();
  readonly room: CaptionRoom;
  readonly live = watchedOutput('terminal');
  readonly late = watchedOutput('zoom');
  readonly block = watchedOutput('obs');
  readonly hooked = watchedOutput('page');
  readonly posts;
  readonly rows;
  readonly files;
  readonly page;
  readonly speech: SoakSpeech;
  /** Spans in which the operator hid or typed something. */
  readonly hidden: Span[] = [];
  readonly typed: Span[] = [];
  /** Names in the typed phrases that were not taken back. */
  readonly typedWords: string[] = [];
  /** Spans whose words delayed outputs may not have shown. */
  readonly unsent: Span[] = [];
  readonly feeds: readonly OutputFeed[];
  mostTimers = 0;
  mostWaiting = 0;
  readonly #random;
  readonly #outage$ = new BehaviorSubject(false);
  readonly #audio$ = new Subject<AudioBlock>();
  #startFrame = 0;
  #stop: { readonly ts: number; readonly untilTs: number } | undefined;
  #typing: { readonly ts: number; readonly untilTs: number } | undefined;
  #away: { readonly untilTs: number } | undefined;
  #phrases = 0;
  /** The operator's rule of each word; a later one takes the place of an earlier one. */
  readonly #rules = new Map<string, 'ban' | 'replace'>();
  /** True while the last typed phrase can be taken back. */
  #canRetract = false;

  constructor(seed: number, directory: string) {
    const { clock } = this;
    const random = seeded(seed);
    this.#random = random;
    this.posts = postedCaptions(clock, seeded(seed + 1));
    this.rows = sentRows(clock, seeded(seed + 2));
    // Each write has the whole transcript, so it is made rarely in hours that pass in seconds.
    const rare = {
      ...clockOf(clock),
      schedule: (ms: number, run: () => void) => clock.schedule(ms * RARER, run),
    };
    this.page = new PageTrack('page', clock);
    this.files = fileOutput(
      TRANSCRIPT_ENDINGS.map(ending => join(directory, `talk${ending}`)),
      { clock: rare },
    );
    this.feeds = [
      new OutputFeed({ output: this.live, clock }),
      new OutputFeed({ output: this.late, delayMs: LATE_SECONDS * 1000, clock }),
      new OutputFeed({ output: this.block, display: 'block', delayMs: BLOCK_SECONDS * 1000, clock }),
      new OutputFeed({ output: this.page, clock }),
      new OutputFeed({ output: this.posts.output, clock }),
      new OutputFeed({ output: this.rows.output, clock }),
      new OutputFeed({ output: this.files, clock }),
    ];
    const track = { language: 'en', profile: CAPTION_PROFILES.netflix };
    const hook = faultyHook(clock, seeded(seed + 3));
    const hookFeeds = [new OutputFeed({ output: this.hooked, clock })];
    this.room = new CaptionRoom({
      tracks: [
        { ...track, name: '', feeds: this.feeds },
        { ...track, name: 'hook', hook, feeds: hookFeeds },
      ],
      language: 'en',
      outage$: this.#outage$,
      channelCount: 2,
      clock,
    });
    this.speech = new SoakSpeech(2, { random, emit: event => this.room.take(event) });
    this.#audio$.pipe(this.room.audio()).subscribe();
  }

  get nowTs(): number {
    return this.clock.now() / 1000;
  }

  async run(seconds: number, onCheckpoint: () => Promise<void>): Promise<void> {
    const ticks = (seconds * 1000) / TICK_MS;
    for (let tick = 1; tick <= ticks; tick++) {
      await this.clock.advanceAsync(TICK_MS);
      this.#hear();
      this.#operate();
      this.speech.advance(this.nowTs);
      this.mostTimers = Math.max(this.mostTimers, this.clock.pending);
      if (tick % 50 === 0) {
        const waiting = this.feeds.map(feed => feed.report().waitingWords);
        this.mostWaiting = Math.max(this.mostWaiting, ...waiting);
      }
      if ((tick * TICK_MS) % CHECKPOINT_MS === 0) await onCheckpoint();
    }
    if (this.#stop) this.#start(this.#stop.ts);
    if (this.#typing) this.typed.push([this.#typing.ts, this.nowTs]);
    if (this.#away) this.#comeBack();
  }

  #hear(): void {
    const samples = new Float32Array((RATE * TICK_MS) / 1000);
    this.#audio$.next({ startFrame: this.#startFrame, sampleRate: RATE, channels: 1, samples });
    this.#startFrame += samples.length;
  }

  /** Begins and ends what an operator and the network do. */
  #operate(): void {
    const ts = this.nowTs;
    const random = this.#random;
    if (this.#stop && ts >= this.#stop.untilTs) this.#start(this.#stop.ts);
    if (this.#typing) this.#type(this.#typing);
    if (this.#away && ts >= this.#away.untilTs) this.#comeBack();
    if (random() > TICK_MS / 15_000) return;
    const idle = !this.#stop && !this.#typing;
    const choice = Math.floor(random() * 9);
    if (choice < 2 && idle) this.#halt(choice === 0 ? 'pause' : 'kill');
    else if (choice === 2 && idle && !this.#away) this.#takeOver();
    else if (choice === 3 && !this.#away && idle) this.#leave();
    else if (choice === 4 && random() < 0.3) this.#unsend();
    else if (choice === 5) this.#changeRules();
    else if (choice === 6)
      void this.room.control.perform({ type: 'language', language: random() < 0.5 ? 'de' : 'en' });
    else if (choice === 7) this.room.take({ type: 'connected', id: `s${ts}` });
  }

  #halt(type: 'pause' | 'kill'): void {
    void this.room.control.perform({ type });
    this.#stop = { ts: this.nowTs, untilTs: this.nowTs + 2 + 60 * this.#random() };
    if (type === 'kill') {
      for (const output of [this.live, this.late, this.block, this.hooked]) output.kill(this.speech.counts);
    }
    this.speech.stop(this.nowTs);
  }

  #start(stoppedTs: number): void {
    this.#stop = undefined;
    this.hidden.push([stoppedTs, this.nowTs]);
    void this.room.control.perform({ type: 'start' });
    this.speech.start(stoppedTs, this.nowTs);
  }

  #takeOver(): void {
    void this.room.control.perform({ type: 'take-over' });
    this.#canRetract = false;
    this.#typing = { ts: this.nowTs, untilTs: this.nowTs + 5 + 30 * this.#random() };
  }

  #type({ ts, untilTs }: { readonly ts: number; readonly untilTs: number }): void {
    const { control } = this.room;
    if (this.nowTs >= untilTs) {
      void control.perform({ type: 'hand-back' });
      this.typed.push([ts, this.nowTs]);
      this.#typing = undefined;
    } else if (this.#random() < 0.03) {
      if (this.#random() < 0.3 && this.typedWords.length > 0 && this.#canRetract) {
        void control.perform({ type: 'retract' });
        this.typedWords.pop();
        this.#canRetract = false;
        return;
      }
      const word = `t${++this.#phrases}p`;
      void control.perform({ type: 'type', text: `Typed ${word}.` });
      this.typedWords.push(word);
      this.#canRetract = true;
    }
  }

  #leave(): void {
    this.#away = { untilTs: this.nowTs + 2 + 90 * this.#random() };
    this.speech.leave(this.nowTs);
    this.#outage$.next(true);
  }

  #comeBack(): void {
    this.#away = undefined;
    this.#outage$.next(false);
    this.speech.comeBack(this.nowTs, { hasHole: this.#random() < 0.5 });
  }

  #unsend(): void {
    void this.room.control.perform({ type: 'unsend' });
    // Words that a delayed output has not shown are gone for it.
    this.unsent.push([this.nowTs - LATE_SECONDS, this.nowTs]);
  }

  #changeRules(): void {
    const [old] = this.#rules;
    if (old && this.#random() < 0.4) {
      const [text, rule] = old;
      this.#rules.delete(text);
      this.live.forbidden.delete(text);
      void this.room.control.perform({ type: 'undo', rule, text });
      return;
    }
    const word = COMMON_WORDS[Math.floor(this.#random() * COMMON_WORDS.length)]!;
    const isBan = this.#random() < 0.5;
    void this.room.control.perform(
      isBan ? { type: 'ban', text: word } : { type: 'replace', text: word, by: `other-${word.length}` },
    );
    this.#rules.set(word, isBan ? 'ban' : 'replace');
    this.live.forbidden.add(word);
  }
}

function clockOf(clock: VirtualClock): Clock {
  return {
    now: () => clock.now(),
    wallTime: () => clock.wallTime(),
    schedule: (ms, run) => clock.schedule(ms, run),
  };
}
