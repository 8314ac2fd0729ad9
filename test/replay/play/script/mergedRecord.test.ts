import { describe, expect, test } from 'vitest';
import type { Cassette, CassetteLine } from '../../../../src/replay/cassette/cassette.ts';
import { messageEvent, messageText } from '../../../../src/replay/cassette/cassetteLines.ts';
import { mergedRecord } from '../../../../src/replay/play/script/mergedRecord.ts';
import type { Script } from '../../../../src/replay/play/script/script.ts';
import { placedBy, wordsOfText } from '../../../../src/replay/play/script/words.ts';
import { finalWords } from '../../../helpers/finalWords.ts';
import { madeCassette } from '../../../helpers/madeCassette.ts';
import { faultyRun } from '../../../helpers/playedServer.ts';

const CASSETTE = madeCassette({ seconds: 8 });

interface Said {
  readonly type: string;
  readonly ts: number;
  readonly end_ts: number;
  readonly elements: readonly { readonly value: string; readonly type: string; readonly ts?: number }[];
}

const said = ({ cues }: Script): readonly Said[] =>
  cues.flatMap(({ kind, act }) =>
    kind === 'words' && act.kind === 'text' ? [JSON.parse(act.text) as Said] : [],
  );
const finals = (script: Script) => said(script).filter(({ type }) => type === 'final');
const texts = ({ elements }: Said) =>
  elements.filter(({ type }) => type === 'text').map(({ value }) => value);

describe('the script from a time on', () => {
  test('is the whole record from the start', () => {
    const script = mergedRecord(CASSETTE).scriptFrom(0, 0);
    const recorded = CASSETTE.lines.flatMap(line => (line.type === 'message' ? [line.message] : [])).slice(1);
    expect(said(script)).toEqual(recorded);
    expect(script.cues.at(-1)).toMatchObject({ kind: 'end', afterEnd: true, act: { code: 1000 } });
  });

  test('has neither earlier finals nor partials of earlier utterances', () => {
    const all = said(mergedRecord(CASSETTE).scriptFrom(3, 1));
    // Words 6 and 7 are the later half of the utterance from 2 to 4 s.
    expect(all[0]).toMatchObject({ type: 'final', end_ts: 4 });
    expect(texts(all[0]!)).toEqual(['w6', 'w7']);
    expect(all[1]).toMatchObject({ type: 'partial', ts: 4.1 });
  });

  test('has the recorded positions, counted from there', () => {
    const [first] = mergedRecord(CASSETTE)
      .scriptFrom(4, 1)
      .cues.filter(({ kind }) => kind === 'words');
    expect(first).toMatchObject({ frames: 4000, afterEnd: false });
  });

  test('has a reproducible job id per connection', () => {
    const id = (index: number) => {
      const [act] = mergedRecord(CASSETTE)
        .scriptFrom(0, index)
        .cues.map(({ act }) => act);
      return act?.kind === 'text' && (JSON.parse(act.text) as { id: string }).id;
    };
    expect(id(1)).toMatch(/^[0-9a-f]{14}$/);
    expect(id(1)).toBe(id(1));
    expect(id(1)).not.toBe(id(2));
  });
});

/** Returns the lines of words whose times the client changed: the event that it emitted, then the message. */
function mappedLines(
  line: Extract<CassetteLine, { readonly type: 'message' }>,
  toSource: (ts: number) => number,
): readonly CassetteLine[] {
  const words = wordsOfText(messageText(line));
  const event = words && messageEvent(JSON.stringify(placedBy(words, toSource)));
  return event
    ? [
        { type: 'event', ms: line.ms, event },
        { ...line, heard: false },
      ]
    : [line];
}

/** Returns a cassette whose source has a gap of two seconds at 3 s, and keep-alive silence at 5 s of the audio. */
function withGap(): Cassette {
  const { lines, audio, end } = CASSETTE;
  const gap = { startFrame: 24_000, frames: 16_000 };
  const later = (frame: number) => (frame > gap.startFrame ? frame + gap.frames : frame);
  const moved = lines.flatMap((line): CassetteLine | readonly CassetteLine[] => {
    if (line.type === 'send') {
      const start = line.start >= gap.startFrame ? line.start + gap.frames : line.start;
      return { ...line, start, frame: start + line.frames };
    }
    if (!('frame' in line)) return line;
    const placed = { ...line, frame: later(line.frame) };
    return placed.type === 'message' ? mappedLines(placed, ts => (ts > 3 ? ts + 2 : ts)) : placed;
  });
  return {
    ...CASSETTE,
    lines: moved,
    end: { ...end!, frames: end!.frames + gap.frames },
    audio: {
      ...{ ...audio!, frames: audio!.frames + gap.frames, gaps: [gap] },
      // As recorded: silence where the source had a gap.
      bytes: () => madeCassette({ seconds: 10 }).audio!.bytes(),
    },
  };
}

describe('a source with gaps', () => {
  test('is played with the times of the wire, which has no gaps', () => {
    const script = mergedRecord(withGap()).scriptFrom(6, 1);
    // 6 s of the source are 4 s of its audio, so results from 4 s on have times from 6 s on.
    expect(finals(script).map(({ ts, end_ts }) => [ts, end_ts])).toEqual([
      [6.1, 8],
      [8.1, 10],
    ]);
    expect(texts(finals(script)[0]!)).toEqual(['w8', 'w9', 'w10', 'w11']);
    expect(script.audio).toEqual([{ kind: 'source', start: 48_000, frames: 32_000 }]);
  });

  test.each([2.6, 3.4, 5.1])(
    'arrives completely when the connection breaks after %s s',
    async afterSeconds => {
      const run = await faultyRun(withGap(), [[{ kind: 'cut', afterSeconds }]]);
      expect(run.failure).toBeUndefined();
      const words = finalWords(run.events.map(({ value }) => value));
      expect(words.map(({ value }) => value)).toEqual(Array.from({ length: 16 }, (_, n) => `w${n}`));
      const [before, behind] = [words[5]!, words[6]!];
      expect(before.endTs).toBeCloseTo(3, 2);
      expect(behind.ts).toBeCloseTo(5.1, 2);
    },
  );
});

test('silence that is not in the source is not in the merged record', async () => {
  const { lines } = CASSETTE;
  const at = lines.findIndex(line => line.type === 'send' && line.start === 32_000);
  // Two seconds of silence after 4 s shift everything after them by 2 s on the wire.
  const pad = { type: 'pad', connection: 0, ms: 4000, frame: 32_000, frames: 16_000 } as const;
  const later = lines.slice(at).flatMap((line): CassetteLine | readonly CassetteLine[] => {
    if (line.type !== 'message') return line;
    const { type, ts, end_ts, elements } = line.message as Said;
    const message = { type, ts: ts + 2, end_ts: end_ts + 2, elements };
    return mappedLines({ ...line, message }, time => time - 2);
  });
  const padded = { ...CASSETTE, lines: [...lines.slice(0, at), pad, ...later] };
  const script = mergedRecord(padded).scriptFrom(4, 1);
  expect(finals(script).map(({ ts, end_ts }) => [ts, end_ts])).toEqual([
    [4.1, 6],
    [6.1, 8],
  ]);
  expect(script.cues.find(({ kind }) => kind === 'words')).toMatchObject({ frames: 4000 });
});
