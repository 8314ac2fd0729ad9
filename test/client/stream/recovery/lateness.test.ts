import { describe, expect, test } from 'vitest';
import type { AudioBlock } from '../../../../src/audio/format/format.ts';
import {
  checkIntervalMs,
  type Lateness,
  startOfLateness,
  withCheck,
  withStart,
  withWords,
} from '../../../../src/client/stream/recovery/lateness.ts';
import {
  NO_SOUND,
  type SoundMap,
  soundFrames,
  withBlock,
  withoutSound,
} from '../../../../src/client/stream/recovery/soundMap.ts';

const RATE = 16_000;
const TAKE_OVER_MS = 2000;
const STEP_MS = checkIntervalMs(TAKE_OVER_MS);

/** A stream of continuous sound, sent as it comes, that is checked as time goes on. */
class Heard {
  lateness: Lateness = withStart(startOfLateness, 0, 0);
  nowMs = 0;
  /** Seconds of audio sent so far. */
  sent = () => this.nowMs / 1000;
  soundFrames = (from: number, to: number) => Math.max(0, to - from);

  /** Lets time pass; returns the milliseconds until words are late, if they are. */
  wait(ms: number, onStep: () => void = () => {}): number | undefined {
    for (const start = this.nowMs; this.nowMs - start < ms; ) {
      this.nowMs += STEP_MS;
      onStep();
      const view = {
        nowMs: this.nowMs,
        sentFrame: Math.round(this.sent() * RATE),
        sampleRate: RATE,
        gaps: [],
        soundFrames: this.soundFrames,
      };
      const { lateness, isLate } = withCheck(this.lateness, view, TAKE_OVER_MS);
      this.lateness = lateness;
      if (isLate) return this.nowMs - start;
    }
    return undefined;
  }

  /** Words up to some seconds before the end of the audio. */
  say(type: 'partial' | 'final', secondsAgo = 0.3): void {
    const endFrame = Math.round((this.sent() - secondsAgo) * RATE);
    this.lateness = withWords(this.lateness, { type, endFrame, nowMs: this.nowMs });
  }
}

test('words are late less than two seconds after the last ones of an utterance', () => {
  const heard = new Heard();
  heard.wait(5000, () => heard.say('partial'));
  expect(heard.wait(5000)).toBeLessThan(1300);
});

test('the first words of an utterance may take longer', () => {
  const heard = new Heard();
  heard.wait(5000, () => heard.say('partial'));
  heard.say('final');
  const ms = heard.wait(5000)!;
  expect(ms).toBeGreaterThan(1500);
  expect(ms).toBeLessThan(2000);
});

test('words that keep coming are not late, however long the speech', () => {
  const heard = new Heard();
  let step = 0;
  const each = () => {
    if (++step % 4 === 0) heard.say('partial', 0.5);
  };
  expect(heard.wait(60_000, each)).toBeUndefined();
});

test('words that fall behind are late', () => {
  const heard = new Heard();
  heard.wait(5000, () => heard.say('partial'));
  const startMs = heard.nowMs;
  const half = () => heard.say('partial', (heard.nowMs - startMs) / 2000);
  expect(heard.wait(20_000, half)).toBeLessThan(3500);
});

describe('no words are late', () => {
  test('of silence', () => {
    const heard = new Heard();
    heard.wait(5000, () => heard.say('partial'));
    heard.soundFrames = () => 0;
    expect(heard.wait(60_000)).toBeUndefined();
  });

  test('of a cough', () => {
    const heard = new Heard();
    heard.wait(5000, () => heard.say('partial'));
    const endFrame = 5.1 * RATE;
    heard.soundFrames = (from, to) => Math.max(0, Math.min(to, endFrame) - from);
    expect(heard.wait(60_000)).toBeUndefined();
  });

  test('of a service that sends only finals', () => {
    const heard = new Heard();
    heard.wait(2000);
    heard.say('final', 0);
    expect(heard.wait(60_000)).toBeUndefined();
  });

  test('of a backlog that is sent at once, while it is read somewhat faster than real time', () => {
    const heard = new Heard();
    heard.wait(5000, () => heard.say('partial'));
    heard.lateness = withStart(heard.lateness, 5 * RATE, heard.nowMs);
    const startMs = heard.nowMs;
    heard.sent = () => 25 + (heard.nowMs - startMs) / 1000;
    const read = () => {
      const endFrame = Math.round((5 + ((heard.nowMs - startMs) / 1000) * 1.2) * RATE);
      heard.lateness = withWords(heard.lateness, { type: 'partial', endFrame, nowMs: heard.nowMs });
    };
    expect(heard.wait(60_000, read)).toBeUndefined();
  });

  test('right after this process stood still', () => {
    const heard = new Heard();
    heard.wait(5000, () => heard.say('partial'));
    heard.nowMs += 5000;
    expect(heard.wait(STEP_MS)).toBeUndefined();
    heard.say('partial');
    expect(heard.wait(500)).toBeUndefined();
  });
});

test('sound without words moves a stream to and fro less and less often', () => {
  const heard = new Heard();
  heard.wait(5000, () => heard.say('partial'));
  const waits = Array.from({ length: 4 }, () => {
    const ms = heard.wait(1_000_000)!;
    heard.lateness = withStart(heard.lateness, heard.lateness.coveredFrame, heard.nowMs);
    return ms;
  });
  for (const [index, ms] of waits.slice(1).entries()) expect(ms).toBeGreaterThan(2 * waits[index]!);
});

test('a service is proven by new words, half a minute after it took over', () => {
  const heard = new Heard();
  heard.wait(5000, () => heard.say('partial'));
  expect(heard.lateness.lateAttempts).toBe(0);
  heard.wait(5000);
  heard.lateness = withStart(heard.lateness, 5 * RATE, heard.nowMs);
  heard.wait(29_000, () => heard.say('partial'));
  expect(heard.lateness.lateAttempts).toBe(1);
  heard.wait(2000, () => heard.say('partial', heard.sent() - 6));
  expect(heard.lateness.lateAttempts).toBe(1);
  heard.say('partial');
  expect(heard.lateness.lateAttempts).toBe(0);
});

describe('a map of sounds', () => {
  const block = (startFrame: number, seconds: number, level: number) => ({
    ...{ startFrame, sampleRate: RATE, channels: 1 },
    samples: Float32Array.from({ length: seconds * RATE }, (_, i) => (i % 2 === 0 ? level : -level)),
  });

  const mapOf = (...blocks: readonly AudioBlock[]) => blocks.reduce<SoundMap>(withBlock, NO_SOUND);

  test('has speech, but neither silence nor the noise and breath between', () => {
    const levels = [0.0008, 0.1, 0.005, 0];
    const sounds = mapOf(...levels.map((level, second) => block(second * RATE, 1, level)));
    expect(soundFrames(sounds, 0, 4 * RATE)).toBe(RATE);
    expect(soundFrames(sounds, 1.5 * RATE, 1.75 * RATE)).toBe(RATE / 4);
  });

  test('takes steady noise for background after a while', () => {
    const sounds = mapOf(...Array.from({ length: 90 }, (_, second) => block(second * RATE, 1, 0.05)));
    expect(soundFrames(sounds, 60 * RATE, 90 * RATE)).toBe(0);
  });

  test('is the same for blocks of any length', () => {
    const long = block(0, 1, 0.1);
    const starts = Array.from({ length: RATE / 800 }, (_, at) => at * 800);
    const cut = starts.map(at => ({ ...long, startFrame: at, samples: long.samples.slice(at, at + 800) }));
    expect(mapOf(...cut).ranges).toEqual(mapOf(long).ranges);
  });

  test('forgets the audio before a frame', () => {
    const levels = [0.1, 0, 0.1, 0, 0.1, 0];
    const sounds = mapOf(...levels.map((level, second) => block(second * RATE, 1, level)));
    expect(soundFrames(withoutSound(sounds, 2 * RATE), 0, 6 * RATE)).toBe(2 * RATE);
  });
});
