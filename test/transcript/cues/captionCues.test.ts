import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captionCues, cueLayout } from '../../../src/transcript/cues/captionCues.ts';
import { CAPTION_PROFILES, type CaptionProfileName } from '../../../src/transcript/cues/captionProfile.ts';
import { cueViolations } from '../../../src/transcript/cues/cueViolations.ts';
import { transcriptOfCues } from '../../../src/transcript/cues/transcriptOfCues.ts';
import { readSrt, writeSrt } from '../../../src/transcript/formats/srt.ts';
import { readVtt, writeVtt } from '../../../src/transcript/formats/vtt.ts';
import { withNames } from '../../../src/transcript/merge/withNames.ts';
import { spanOf, type Transcript } from '../../../src/transcript/model/model.ts';
import { elementsOfText, tokensOf } from '../../../src/transcript/text/tokens.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';
import { final } from '../../helpers/transcriptEvents.ts';

const names = Object.keys(CAPTION_PROFILES) as CaptionProfileName[];
const said = (...turns: [speaker: number, text: string, ts: number, endTs: number][]): Transcript => ({
  monologues: turns.map(([speaker, text, ts, endTs]) => ({
    speaker,
    elements: final(text, ts, endTs).elements,
  })),
});
const untimed = (text: string): Transcript => ({
  monologues: [{ speaker: 0, elements: elementsOfText(text) }],
});
const wordsOf = ({ monologues }: Transcript) =>
  monologues.flatMap(({ elements }) => tokensOf(elements).map(token => token.text));
const linesOf = (talk: Transcript, name: CaptionProfileName = 'netflix') =>
  captionCues(talk, { profile: CAPTION_PROFILES[name] }).map(cue => cue.lines);

describe('captionCues', () => {
  it('sets a short sentence on one line', () => {
    expect(captionCues(said([0, 'Hello there, my friend.', 1, 3]))).toEqual([
      { ts: 1, endTs: 3, lines: ['Hello there, my friend.'] },
    ]);
  });

  it('gives each of two channels its own time, and the name of each to its turns', () => {
    const room = 'He was not an ill-disposed young man at all, and we all knew that very well.';
    const call = 'Could you say that again, please? The line was bad, and I have lost a few words.';
    const turns = [0, 6, 12].flatMap(
      (ts): Parameters<typeof said> => [
        [0, room, ts, ts + 5],
        [1, call, ts + 0.5, ts + 5.5],
      ],
    );
    const talk = withNames(said(...turns), { channels: { 0: 'Room', 1: 'Call' } }, 2);
    const cues = captionCues(talk);
    for (const [channel, name] of ['Room', 'Call'].entries()) {
      const own = cues.filter(cue => cue.channel === channel);
      expect(cueViolations(own, CAPTION_PROFILES.netflix)).toEqual([]);
      expect(own.map(cue => cue.ts)).toEqual(expect.arrayContaining([0, 6, 12].map(ts => ts + channel / 2)));
      expect(own.filter(({ lines }) => lines[0]!.startsWith(`${name}: `))).toHaveLength(3);
    }
    expect(cues.map(({ ts }) => ts)).toEqual(cues.map(({ ts }) => ts).toSorted((a, b) => a - b));
    expect(writeSrt(cues)).not.toContain('>>');
    expect(writeSrt(captionCues(talk, { profile: CAPTION_PROFILES.bbc }))).toContain('>> Could you say');
    expect(transcriptOfCues(readVtt(writeVtt(cues))).monologues[0]!.elements[0]).toMatchObject({
      value: 'He',
    });
  });

  it('breaks lines where language allows, not where they are full', () => {
    const text =
      'He was not an ill-disposed young man, unless to be rather cold-hearted and selfish is to be so.';
    expect(linesOf(said([0, text, 0, 6]))).toEqual([
      ['He was not an ill-disposed young man,'],
      ['unless to be rather cold-hearted', 'and selfish is to be so.'],
    ]);
  });

  it.each([
    ['article and noun', 'We have all of us always wanted to see the mountains of the moon.', /\b(the|of)$/],
    ['auxiliary and verb', 'Nobody in the whole of this house was watching them yesterday.', /\bwas$/],
    ['first and last name', 'Yesterday everyone saw Catherine Morland walking home alone.', /Catherine$/],
    ['number and unit', 'The road to the village was longer than about 25 kilometres in winter.', /25$/],
    ['title and name', 'They have given us so many things about Mr. Darcy and all his friends.', /Mr\.$/],
  ])('never parts %s', (_, text, parted) => {
    for (const name of names) {
      const lines = linesOf(said([0, text, 0, 6]), name).flat();
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(line).not.toMatch(parted);
    }
  });

  it('ends a cue where a sentence ends rather than within the next', () => {
    const text = 'It was raining hard. Nobody who could help it had left the house since early that morning.';
    expect(linesOf(said([0, text, 0, 8]))[0]).toEqual(['It was raining hard.']);
  });

  it('takes no abbreviation for the end of a sentence', () => {
    const cues = linesOf(said([0, 'I went to see Dr. Brown in St. Albans about it, e.g. last week.', 0, 5]));
    expect(cues).toEqual([['I went to see Dr. Brown in St. Albans', 'about it, e.g. last week.']]);
  });

  it('ends a cue at lost audio, and gives a word across it the longer part', () => {
    const word = (value: string, ts: number, endTs: number) => ({ type: 'text', value, ts, endTs }) as const;
    const elements = [
      word('one', 0, 0.5),
      word('two', 0.5, 10),
      word('three', 10, 10.4),
      word('four', 11, 12),
    ];
    const coverage = [
      { ts: 0.6, endTs: 9.2, kind: 'hole', cause: 'gap' },
      { ts: 9.2, endTs: 10.4, kind: 'final' },
      { ts: 10.4, endTs: 11, kind: 'hole', cause: 'gap' },
    ] as const;
    const cues = captionCues(
      { monologues: [{ speaker: 0, elements }], coverage },
      { profile: CAPTION_PROFILES.cea608 },
    );
    expect(cues).toMatchObject([
      { ts: 0, lines: ['one'] },
      { ts: 9.2, endTs: 10.4, lines: ['two three'] },
      { ts: 11, endTs: 12, lines: ['four'] },
    ]);
    expect(cues[0]!.endTs).toBeLessThan(9.2);
  });

  it.each(['bbc', 'dcmp'] as const)(
    'lets %s take time of the next cue for fast words, within a bound',
    name => {
      const fast = 'We went to see it on a day as hot as any we had.';
      const talk = said([0, fast, 0, 3.5], [1, 'Then it was cold again, for a very long time.', 3.5, 9]);
      const profile = CAPTION_PROFILES[name];
      const cues = captionCues(talk, { profile });
      const next = cues.findIndex(({ speaker }) => speaker === 'Speaker 1');
      const perMinute = (among: readonly { ts: number; endTs: number; lines: readonly string[] }[]) =>
        among.map(({ ts, endTs, lines }) => (lines.join(' ').split(' ').length / (endTs - ts)) * 60);
      expect(Math.max(...perMinute(cues))).toBeLessThan(181);
      expect(
        Math.max(...perMinute(captionCues(talk, { profile: { ...profile, maxLagSeconds: 0 } }))),
      ).toBeGreaterThan(199);
      expect(cues[next]!.ts).toBeGreaterThan(3.5);
      expect(cues[next]!.ts).toBeLessThanOrEqual(3.5 + profile.maxLagSeconds);
    },
  );

  it('shows cues of dcmp never faster than 225 words a minute', () => {
    fc.assert(
      fc.property(transcript, talk => {
        const found = cueViolations(
          captionCues(talk, { profile: CAPTION_PROFILES.dcmp }),
          CAPTION_PROFILES.dcmp,
        );
        expect(found.filter(({ rule }) => rule === 'speed')).toEqual([]);
      }),
    );
  });

  it('starts a cue with each speaker, and says who it is', () => {
    expect(
      captionCues(said([0, 'Are you there?', 0, 1], [1, 'Yes.', 1.2, 2], [0, 'Good.', 2.2, 4])),
    ).toMatchObject([
      { lines: ['Are you there?'], speaker: 'Speaker 0' },
      { lines: ['>> Yes.'], speaker: 'Speaker 1' },
      { lines: ['>> Good.'], speaker: 'Speaker 0' },
    ]);
  });

  it('counts the mark of a speaker as part of the line', () => {
    const word = 'x'.repeat(39);
    expect(linesOf(said([0, 'a', 0, 1], [1, `${word} y`, 1, 3]))[1]).toEqual([`>> ${word}`, 'y']);
  });

  it('can leave the mark of a speaker out', () => {
    const talk = said([0, 'Are you there?', 0, 1], [1, 'Yes.', 1.2, 2]);
    expect(captionCues(talk, { speakerMark: '' })[1]!.lines).toEqual(['Yes.']);
  });

  it('uses the names of speakers', () => {
    const [monologue] = said([0, 'Hello.', 0, 1]).monologues;
    const speakerInfo = { id: '0', displayName: 'Ann' };
    expect(captionCues({ monologues: [{ ...monologue!, speakerInfo }] })[0]!.speaker).toBe('Ann');
  });

  it('ends a cue at a long silence', () => {
    expect(linesOf(said([0, 'one two', 0, 1], [0, 'three', 4, 5]))).toEqual([['one two'], ['three']]);
  });

  it('holds a short cue into the silence after it, never over the next', () => {
    const [first, second] = captionCues(said([0, 'Yes.', 0, 0.2], [1, 'No.', 1, 1.2]));
    expect(first!.endTs).toBeCloseTo(5 / 6, 2);
    expect(second!.endTs).toBeCloseTo(1 + 5 / 6, 2);
  });

  it('shows a cue for the least time of the profile, and the next one late', () => {
    const cues = captionCues(said([0, 'Yes.', 0, 0.2], [1, 'No.', 0.5, 0.7], [0, 'Well.', 4, 5]));
    expect(cues[0]!.endTs).toBeCloseTo(5 / 6, 2);
    expect(cues[1]!.ts).toBeCloseTo(5 / 6 + 2 / 24, 2);
    expect(cues[2]!.ts).toBe(4);
  });

  it('holds a cue until it can be read', () => {
    const [cue] = captionCues(said([0, 'one two three four five six', 0, 1]), {
      profile: CAPTION_PROFILES.dcmp,
    });
    expect(cue!.endTs).toBeCloseTo(6 / (160 / 60), 3);
  });

  it('closes gaps that are too short to be seen as such', () => {
    const talk = said([0, 'Are you there?', 0, 2], [1, 'Yes.', 2.9, 4], [0, 'Good.', 5.5, 7]);
    const cues = captionCues(talk, { profile: CAPTION_PROFILES.bbc });
    expect(cues.map(({ ts, endTs }) => [ts, endTs])).toEqual([
      [0, 2.9],
      [2.9, 4],
      [5.5, 7],
    ]);
  });

  it('splits cues that would last too long', () => {
    const cues = captionCues(said([0, 'one two three four five six seven eight', 0, 12]));
    expect(cueViolations(cues, CAPTION_PROFILES.netflix)).toEqual([]);
    expect(cues.length).toBeGreaterThan(1);
  });

  it('shares time among words that have none', () => {
    const first = final('one two', 0, 1);
    const last = final('five six', 9, 10);
    const middle = elementsOfText('three four');
    const space = { type: 'punct', value: ' ' } as const;
    const elements = [...first.elements, space, ...middle, space, ...last.elements];
    const cues = captionCues({ monologues: [{ speaker: 0, elements }] });
    expect(cues.map(cue => cue.lines.join(' '))).toEqual(['one two three four', 'five six']);
    expect(cues[1]!.ts).toBe(9);
  });

  it('gives times at the speed of speech where there are none at all', () => {
    const text =
      'It is a truth universally acknowledged, that a man in possession of a fortune wants a wife.';
    const cues = captionCues(untimed(text));
    expect(cues[0]!.ts).toBe(0);
    expect(cues.at(-1)!.endTs).toBeCloseTo(text.length / 15, 0);
    expect(cueViolations(cues, CAPTION_PROFILES.netflix)).toEqual([]);
  });

  it('cuts a word that is wider than a line, never inside a character', () => {
    const word = '\u{1F469}\u200D\u{1F4BB}\u4f60'.repeat(30);
    const lines = linesOf(untimed(word), 'cea608').flat();
    expect(lines.join('')).toBe(word);
    for (const line of lines) expect(line).toMatch(/^(\u{1F469}\u200D\u{1F4BB}|\u4f60)+$/u);
    expect(cueViolations(captionCues(untimed(word)), CAPTION_PROFILES.netflix)).toEqual([]);
  });

  it('gives nothing for nothing', () => {
    expect(captionCues({ monologues: [] })).toEqual([]);
    expect(captionCues({ monologues: [{ speaker: 0, elements: [{ type: 'punct', value: ' ' }] }] })).toEqual(
      [],
    );
  });

  it.each(names)('keeps to all of %s but the reading speed, whatever the transcript', name => {
    const profile = CAPTION_PROFILES[name];
    fc.assert(
      fc.property(transcript, talk => {
        const cues = captionCues(talk, { profile });
        expect(cueViolations(cues, profile).filter(({ rule }) => rule !== 'speed')).toEqual([]);
        for (const cue of cues) expect(cue.endTs).toBeGreaterThan(cue.ts);
        expect(wordsOf(transcriptOfCues(cues)).join('')).toBe(wordsOf(talk).join(''));
      }),
    );
  });

  it('ends all captions with the media, each after its start', () => {
    const lastOf = ({ monologues }: Transcript) =>
      Math.max(1, ...monologues.map(({ elements }) => spanOf(elements)?.endTs ?? 0));
    const dense = {
      monologues: Array.from({ length: 60 }, (_, n) => said([n, 'Yes.', 2, 2.01]).monologues[0]!),
    };
    fc.assert(
      fc.property(fc.oneof(transcript, fc.constant(dense)), fc.constantFrom(...names), (talk, name) => {
        const seconds = Math.ceil(100 * lastOf(talk)) / 100;
        const cues = captionCues(talk, { profile: CAPTION_PROFILES[name], seconds });
        let reached = 0;
        for (const { ts, endTs } of cues) {
          expect(ts).toBeGreaterThanOrEqual(reached);
          expect(endTs).toBeGreaterThan(ts);
          reached = endTs;
        }
        expect(reached).toBeLessThanOrEqual(seconds);
      }),
    );
  });

  it('lays a growing transcript out as if each version were the only one', () => {
    fc.assert(
      fc.property(fc.array(transcript, { maxLength: 4 }), fc.constantFrom(...names), (versions, name) => {
        const profile = CAPTION_PROFILES[name];
        const layOut = cueLayout({ profile });
        const grown = versions.flatMap(version => [
          { monologues: version.monologues.slice(0, -1) },
          version,
          { monologues: [...version.monologues, ...said([7, 'And more.', 900, 901]).monologues] },
        ]);
        for (const version of grown) expect(layOut(version)).toEqual(captionCues(version, { profile }));
      }),
    );
  });

  it('keeps to every rule where words come at an ordinary speed', () => {
    const text =
      'The family of Dashwood had long been settled in Sussex. Their estate was large, and their residence was at Norland Park, in the centre of their property, where, for many generations, they had lived in so respectable a manner.';
    for (const name of names) {
      const cues = captionCues(said([0, text, 0, 18]), { profile: CAPTION_PROFILES[name] });
      expect(cueViolations(cues, CAPTION_PROFILES[name]), name).toEqual([]);
    }
  });
});

describe('cueViolations', () => {
  it('names each rule that is broken', () => {
    const cues = [
      { ts: 0, endTs: 8, lines: ['a'.repeat(43), 'b', 'c'] },
      { ts: 8.01, endTs: 8.5, lines: ['b'.repeat(20)] },
      { ts: 8.4, endTs: 10, lines: ['c'] },
    ];
    expect(cueViolations(cues, CAPTION_PROFILES.netflix)).toEqual([
      ...['columns', 'rows', 'long', 'gap'].map(rule => ({ cue: 0, rule })),
      ...['speed', 'short', 'gap'].map(rule => ({ cue: 1, rule })),
    ]);
    expect(
      cueViolations(
        [
          { ts: 0, endTs: 5, lines: ['a'] },
          { ts: 5.5, endTs: 6, lines: ['b'] },
        ],
        CAPTION_PROFILES.bbc,
      ),
    ).toEqual([{ cue: 0, rule: 'gap' }]);
  });
});

describe('transcriptOfCues', () => {
  it('shares the time of a cue among its words by length', () => {
    const { monologues } = transcriptOfCues([{ ts: 1, endTs: 3, lines: ['a', 'bcd'] }]);
    expect(monologues[0]!.elements).toEqual([
      { type: 'text', value: 'a', ts: 1, endTs: 1.5 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'bcd', ts: 1.5, endTs: 3 },
    ]);
  });

  it('alternates between two speakers at marks, also within a cue', () => {
    const talk = transcriptOfCues([
      { ts: 0, endTs: 1, lines: ['>> Hello.'] },
      { ts: 1, endTs: 2, lines: ['Are you there?', '>>Yes.'] },
      { ts: 2, endTs: 3, lines: ['>>> Good evening.'] },
    ]);
    expect(
      talk.monologues.map(({ speaker, elements }) => [speaker, tokensOf(elements).map(({ text }) => text)]),
    ).toEqual([
      [0, ['Hello.', 'Are', 'you', 'there?']],
      [1, ['Yes.']],
      [0, ['Good', 'evening.']],
    ]);
  });

  it('takes speakers from the cues, numbers before names', () => {
    const cue = (speaker: string, ts: number) => ({ ts, endTs: ts + 1, lines: ['x'], speaker });
    const talk = transcriptOfCues([cue('Ann', 0), cue('Speaker 0', 1), cue('Bob', 2), cue('Ann', 3)]);
    expect(talk.monologues.map(({ speaker, speakerInfo }) => [speaker, speakerInfo?.displayName])).toEqual([
      [1, 'Ann'],
      [0, undefined],
      [2, 'Bob'],
      [1, 'Ann'],
    ]);
  });

  it('brings words and speakers back through both kinds of file', () => {
    const speakers = ({ monologues }: Transcript) => monologues.map(monologue => monologue.speaker);
    fc.assert(
      fc.property(transcript, talk => {
        const cues = captionCues(talk, { profile: { ...CAPTION_PROFILES.netflix, columns: 80 } });
        // SRT has no escapes.
        const unmarked = wordsOf(talk).map(word => word.replace(/^<(.*)>$/, '‹$1›'));
        expect(wordsOf(transcriptOfCues(readSrt(writeSrt(cues))))).toEqual(unmarked);
        const spoken = transcriptOfCues(readVtt(writeVtt(cues)));
        expect(wordsOf(spoken)).toEqual(wordsOf(talk));
        if (talk.monologues.length > 1) expect(speakers(spoken)).toEqual(speakers(talk));
      }),
    );
  });
});
