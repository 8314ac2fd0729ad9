import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type LiveCaptionsOptions, liveCaptions } from '../../../src/captions/rows/liveCaptions.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { captionCues } from '../../../src/transcript/cues/captionCues.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../src/transcript/merge/merge.ts';
import { checkNames, type Names, withNames } from '../../../src/transcript/merge/withNames.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { spokenStory } from '../../helpers/spokenStory.ts';
import { final, partial } from '../../helpers/transcriptEvents.ts';

/** Each word is shown as soon as it is heard. */
const AT_ONCE: LiveCaptionsOptions = { agreePartials: 1, holdBackWords: 0, columns: 60, rows: 4 };

async function displays(events: readonly LiveEvent[], names: Names, options = AT_ONCE) {
  const shown$ = from(events).pipe(liveCaptions({ ...options, names, clock: new VirtualClock() }), toArray());
  return lastValueFrom(shown$);
}

/** The last rows on the screen, and all settled lines. */
async function shown(events: readonly LiveEvent[], names: Names, options?: LiveCaptionsOptions) {
  const all = await displays(events, names, options);
  return { rows: all.at(-2)?.rows, lines: all.flatMap(({ settled }) => settled) };
}

const on = <T extends LiveEvent>(channel: number, event: T): T => ({ ...event, channel });

describe('names', () => {
  it('stand before the turns of speakers, once a turn', async () => {
    const events = [
      final('Good day.', 0, 1, 0),
      final('Yes.', 1, 2, 0),
      final('Hello.', 2, 3, 1),
      final('So.', 3, 4, 2),
    ];
    const { rows, lines } = await shown(events, { speakers: { 0: 'Anna', 1: 'Dr. Bo' } });
    expect(rows).toEqual(['>> Anna: Good day. Yes.', '>> Dr. Bo: Hello.', '>> So.']);
    expect(lines).toEqual(rows);
  });

  it('stand before the turns of channels, from their first partial on', async () => {
    const events = [
      on(0, partial('good', 0, 1)),
      on(0, partial('good day', 0, 2)),
      on(1, partial('hello', 1, 2)),
      on(0, final('Good day to', 0, 3, 0)),
      on(1, final('Hello.', 1, 3, 1)),
      on(1, final('Well.', 3, 4, 1)),
    ];
    const { rows, lines } = await shown(events, { channels: { 0: 'Stage', 1: 'Room' } });
    expect(rows).toEqual(['>> Stage: Good day', '>> Room: Hello', '>> Stage: to', '>> Room: Well.']);
    expect(lines).toEqual(['>> Stage: Good day', '>> Room: Hello.', '>> Stage: to', '>> Room: Well.']);
  });

  it('of a channel give way to that of its speaker, and a channel without a name has a mark alone', async () => {
    const events = [
      on(1, final('One.', 0, 1, 1)),
      on(0, final('Two.', 1, 2, 0)),
      on(2, final('Three.', 2, 3, 2)),
    ];
    const { rows } = await shown(events, { speakers: { 0: 'Anna' }, channels: { 0: 'Stage', 1: 'Room' } });
    expect(rows).toEqual(['>> Room: One.', '>> Anna: Two.', '>> Three.']);
  });

  it('are not shown again where the final drops the first word of the turn', async () => {
    const heard = [on(1, partial('uh six', 1, 2)), on(1, partial('uh six', 1, 3))];
    const events = [on(0, final('One.', 0, 1, 0)), ...heard, on(1, final('Six.', 1, 3, 1))];
    const options = { ...AT_ONCE, holdBackWords: 1 };
    const { rows } = await shown(events, { channels: { 0: 'Stage', 1: 'Room' } }, options);
    expect(rows).toEqual(['>> Stage: One.', '>> Room: Uh Six.']);
  });

  it('are not shown with uncertain words of another channel', async () => {
    const events = [
      on(0, partial('one two', 0, 1)),
      on(1, partial('six', 1, 2)),
      on(1, partial('six', 1, 2.1)),
    ];
    const all = await displays(
      events,
      { channels: { 0: 'Stage', 1: 'Room' } },
      { ...AT_ONCE, agreePartials: 3, agreeMs: 1e6, tailPartials: 1 },
    );
    expect(all.every(({ tail }) => !tail.includes('six'))).toBe(true);
  });

  it('that are wider than a row are cut at spaces', async () => {
    const { rows } = await shown(
      [final('Good day.', 0, 1, 0)],
      { speakers: { 0: 'Dr. Anna Lindberg' } },
      { ...AT_ONCE, columns: 10, rows: 9 },
    );
    expect(rows).toEqual(['>> Dr.', 'Anna', 'Lindberg:', 'Good day.']);
  });

  it('change nothing but marks', async () => {
    const names = { speakers: { 0: 'Anna' }, channels: { 0: 'Stage', 1: 'Room' } };
    const property = async ({
      events,
      words,
    }: {
      events: readonly LiveEvent[];
      words: readonly string[];
    }) => {
      const { lines } = await shown(events, names);
      expect(lines.join(' ')).not.toMatch(/(Anna|Stage|Room): >> \1:/);
      const read = lines.flatMap(line =>
        line
          .replaceAll(/>> (?:(Anna|Stage|Room): )?/g, '')
          .toLowerCase()
          .split(' '),
      );
      expect(read.filter((word, index) => word.startsWith('c') && read.indexOf(word) !== index)).toEqual([]);
      expect(words.filter(word => !read.includes(word))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(spokenStory({ mayBeWrong: false }), property), { numRuns: 200 });
  });
});

describe('withNames', () => {
  const transcriptOf = (events: readonly LiveEvent[]) =>
    events.reduce(mergeEvent, emptyLiveTranscript).transcript;

  it('names the speakers of a transcript, and so of its captions', () => {
    const transcript = transcriptOf([final('Good day.', 0, 1, 0), final('Hello.', 2, 3, 1)]);
    const named = withNames(transcript, { speakers: { 1: 'Bo' } });
    expect(named.monologues.map(({ speakerInfo }) => speakerInfo?.displayName)).toEqual([undefined, 'Bo']);
    expect(named.coverage).toEqual(transcript.coverage);
    expect(captionCues(named).map(({ speaker }) => speaker)).toEqual(['Speaker 0', 'Bo']);
  });

  it('names the speakers of channels, however many a channel has', () => {
    const transcript = transcriptOf([on(1, final('One.', 0, 1, 1)), on(1, final('Two.', 1, 2, 3))]);
    const namesWith = (count?: number) =>
      withNames(transcript, { channels: { 1: 'Room' } }, count).monologues.map(
        turn => turn.speakerInfo?.displayName,
      );
    expect(namesWith()).toEqual(['Room', undefined]);
    expect(namesWith(2)).toEqual(['Room', 'Room']);
  });

  it.each([
    [{ speakers: { x: 'Anna' } }, "The speaker 'x' of a name is not a number"],
    [{ channels: { 0: '' } }, 'The name of channel 0 must have 1 to 40'],
    [{ channels: { 0: 'a\nb' } }, 'The name of channel 0 must have 1 to 40'],
  ])('refuses %j', (names, message) => {
    expect(() => checkNames(names as Names)).toThrow(message);
  });
});
