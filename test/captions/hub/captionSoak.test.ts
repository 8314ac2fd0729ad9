// @module-tag slow

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { TRANSCRIPT_ENDINGS, type TranscriptEnding } from '../../../src/captions/files/transcriptEnding.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';
import { BLOCK_SECONDS, CaptionSoak, LATE_SECONDS, type Span } from '../../helpers/captionSoak.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import type { SaidUtterance } from '../../helpers/soakSpeech.ts';
import { transcriptFileText } from '../../helpers/transcriptFileText.ts';

const SECONDS = 2 * 3600;
/** Seeds of the plans, the numbers in the names of the tests. */
const SEEDS = (process.env.RXSCRIBE_SOAK_SEEDS ?? '1').split(',').map(Number);
/** Seconds around a command in which words may be shown or not. */
const SLACK_SECONDS = 3;
/** Longest time from a word to the end of its caption, and the audio that is on its way. */
const CUE_SECONDS = 10;
/** Endings of files that are read during the run; the renderer of EBU-TT-D takes long for hours. */
const QUICK_ENDINGS = TRANSCRIPT_ENDINGS.filter(ending => ending !== '.ttml');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Limits of what may be pending at one time, whatever happens. */
const MOST_TIMERS = 100;
const MOST_WAITING_WORDS = 500;
const MOST_LEFT_ROWS = 50;
/** MiB for the transcript and the words that this test remembers. */
const MOST_MIB = 60;

/** Share of the words that a file of CEA-608 may lack. */
const MOST_LEFT_OUT = 0.05;

const NAME = /c\d+u\d+w\d+/g;
const TYPED_NAME = /t\d+p/g;

/** Returns whether an utterance was said within some seconds of a span. */
function overlaps({ ts, finalTs }: SaidUtterance, spans: readonly Span[], before: number): boolean {
  return spans.some(([from, to]) => ts < to + SLACK_SECONDS && finalTs > from - before);
}

const names = (utterances: readonly SaidUtterance[]) =>
  utterances.flatMap(({ words }) => words.filter(word => word.startsWith('c')));

function missing(wanted: readonly string[], found: Iterable<string>): readonly string[] {
  const all = new Set(found);
  return wanted.filter(word => !all.has(word));
}

/** Checks that each screen showed what was said while nothing was hidden, once and in order, and never changed. */
function expectScreens({ live, late, block, hooked, speech, hidden, typed, unsent }: CaptionSoak): void {
  const wanted = (delaySeconds: number, spans: readonly Span[] = []) => {
    const isHidden = (one: SaidUtterance) =>
      one.isRepaired ||
      overlaps(one, [...hidden, ...typed], delaySeconds + SLACK_SECONDS) ||
      overlaps(one, spans, CUE_SECONDS);
    return names(speech.said.filter(one => !isHidden(one)));
  };
  const screens = [live, late, block, hooked];
  const breaches = screens.map(({ name, breaches }) => [name, breaches.slice(0, 5)]);
  expect(breaches).toEqual(screens.map(({ name }) => [name, []]));
  expect(wanted(LATE_SECONDS, unsent).length).toBeGreaterThan(1000);
  expect(missing(wanted(0), live.seen)).toEqual([]);
  expect(missing(wanted(LATE_SECONDS, unsent), late.seen)).toEqual([]);
  expect(missing(wanted(BLOCK_SECONDS, unsent), block.seen)).toEqual([]);
  expect(missing(wanted(CUE_SECONDS), live.inCues)).toEqual([]);
  expect(new Set(live.inCues).size).toBe(live.inCues.length);
  expect(Math.max(...screens.map(({ mostLeft }) => mostLeft))).toBeLessThan(MOST_LEFT_ROWS);
}

/** Checks that each caption was posted once or counted as skipped, and that the latest rows arrived. */
function expectPosts({ posts, rows }: CaptionSoak): void {
  const { shown, skipped } = posts.output.report();
  expect(shown).toBeGreaterThan(100);
  expect(shown + skipped).toBe(posts.counts.taken);
  const posted = [...posts.accepted.values()].join(' ').match(NAME) ?? [];
  expect(new Set(posted).size).toBe(posted.length);
  expect(rows.isUpToDate).toBe(true);
}

describe.each(SEEDS)('two hours of captions with faults (plan %i)', seed => {
  test('lose nothing that was to be shown, and stay small', { timeout: 600_000 }, async () => {
    const directory = await temporaryDirectory();
    const soak = new CaptionSoak(seed, directory);
    const read = async (ending: TranscriptEnding) =>
      transcriptFileText(ending, await readFile(join(directory, `talk${ending}`), 'utf8'));
    const heaps: number[] = [];
    await soak.run(SECONDS, async () => {
      while (soak.files.report().shown === 0) await setTimeout(10);
      await Promise.all(QUICK_ENDINGS.map(read));
      collectGarbage();
      heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
    });
    await advanceUntil(soak.clock, 1000, soak.room.close());
    await soak.files.save();
    soak.page.end();

    expectScreens(soak);
    expectPosts(soak);
    // An utterance that was typed over is final so far; a hole that begins with it is repaired with all of it.
    const isTypedOver = (one: SaidUtterance) => overlaps(one, soak.typed, SLACK_SECONDS);
    const saved = names(soak.speech.said.filter(one => !isTypedOver(one)));
    const wanted = new Set(saved);
    for (const ending of TRANSCRIPT_ENDINGS) {
      const found = (await read(ending)).match(NAME) ?? [];
      const lost = missing(saved, found);
      // CEA-608 carries two bytes a frame: some captions of two people who talk at once are left out.
      if (ending === '.scc') expect(lost.length).toBeLessThan(MOST_LEFT_OUT * saved.length);
      else expect([ending, lost]).toEqual([ending, []]);
      const text = await read(ending);
      const typed = text.match(TYPED_NAME) ?? [];
      if (ending === '.scc') expect(missing(typed, soak.typedWords)).toEqual([]);
      else expect([ending, typed]).toEqual([ending, soak.typedWords]);
      const once = saved.length - lost.length;
      expect([ending, found.filter(word => wanted.has(word)).length]).toEqual([ending, once]);
    }
    expect(soak.clock.pending).toBe(0);
    expect(soak.mostTimers).toBeLessThan(MOST_TIMERS);
    expect(soak.mostWaiting).toBeLessThan(MOST_WAITING_WORDS);
    expect(heaps.at(-1)! - heaps[0]!).toBeLessThan(MOST_MIB);
  });
});
