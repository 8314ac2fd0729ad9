import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeTranscript } from '../../../../src/protocol/transcriptJson.ts';
import {
  correctionsIn,
  finishHuman,
  withMachineTimes,
} from '../../../../src/service/tasks/human/finishHuman.ts';
import {
  namesForText,
  parseHumanText,
  parseHumanTranscript,
  writeHumanText,
} from '../../../../src/service/tasks/human/humanText.ts';
import type { HumanInput, TranscriptionInput } from '../../../../src/service/tasks/inputs.ts';
import { writePlainText } from '../../../../src/transcript/formats/plainText.ts';
import { withNames } from '../../../../src/transcript/merge/withNames.ts';
import { type TextElement, type Transcript, textOf } from '../../../../src/transcript/model/model.ts';
import { elementsOfText, wordsOf } from '../../../../src/transcript/text/tokens.ts';
import { transcript as anyTranscript } from '../../../helpers/transcriptArbitraries.ts';

const HUMAN: HumanInput = { verbatim: false, rush: false };

/** The draft of the machine: a word per second, from 0 on. */
function heard(text: string, speaker = 0): Transcript {
  let ts = 0;
  const elements = elementsOfText(text).map(element =>
    element.type === 'text' ? { ...element, ts: ts++, endTs: ts - 0.25, confidence: 0.5 } : element,
  );
  return { monologues: [{ speaker, elements }] };
}

const draftOf = (text: string) => ({ transcript: heard(text), seconds: 600 });
const turnsOf = ({ monologues }: Transcript) =>
  monologues.map(({ speaker, elements }) => `${speaker}: ${textOf(elements)}`);
const wordElements = ({ monologues }: Transcript) =>
  monologues.flatMap(({ elements }) => elements).filter(({ type }) => type === 'text') as TextElement[];

describe('the text of a person', () => {
  test.for<[string, string, ...string[]]>([
    ['one speaker without a label', 'Yes, quite.\nNo.', '0: Yes, quite. No.'],
    ['numbered speakers', 'Speaker 1: Yes.\nQuite.\n\nSpeaker 0:No.', '1: Yes. Quite.', '0: No.'],
    ['turns as in plain text', 'Speaker 0    00:00:01    Yes.\nSpeaker 2 01:15 No.', '0: Yes.', '2: No.'],
    ['names of speakers in any case', 'Ben: Yes.\r\nanna: No. Ben: so.', '1: Yes.', '0: No. Ben: so.'],
    [
      'names with times as in plain text',
      'Anna    00:00:01    Yes.\nBen 01:15 No.\nBen was here.',
      '0: Yes.',
      '1: No. Ben was here.',
    ],
    ['speakers in capitals', 'BEN: Yes.\nSPEAKER 3:\tNo.', '1: Yes.', '3: No.'],
    ['a label alone', 'Anna:\nYes.\nBen:', '0: Yes.'],
    [
      'marks',
      '[inaudible] Yes [Crosstalk 00:01:02], <inaudible>.',
      '0: [inaudible] Yes [crosstalk], [inaudible].',
    ],
    ['a byte order mark', '\uFEFFSpeaker 3: Yes.', '3: Yes.'],
    ['nothing', ' \n\n'],
  ])('is read with %s', ([, text, ...turns]) => {
    expect(turnsOf(parseHumanText(text, ['Anna', 'Ben']))).toEqual(turns);
  });

  test.for<[string, string, readonly string[]]>([
    ['a name in a job with names', 'Ben: So?\n\nNobody Known: Yes.', ['"Nobody Known:" in line 3']],
    ['the only name', 'Carl: Yes.', ['"Carl:" in line 1']],
    ['a name before a tab', 'c. smith:\tYes.\nWell.\nWell.', ['"c. smith:" in line 1']],
    ['a name before a time', 'Carl Smith    00:00:01    Yes.\nWell.\nWell.', ['"Carl Smith:" in line 1']],
    ['names of up to four words', 'Ben: So?\nDr. Jean-Luc O’Neil Jr.: Yes.', ['"Dr. Jean-Luc O’Neil Jr.:"']],
    [
      'more names than are shown',
      Array.from('ABCDEFG', letter => `${letter}:\n`).join(''),
      ['"A:" in line 1', '"E:" in line 5, and 2 more'],
    ],
  ])('is refused with %s that no speaker has', ([, text, expected]) => {
    for (const part of [...expected, 'Known are "Anna:", "Ben:", "Speaker 0:"']) {
      expect(() => parseHumanText(text, ['Anna', ' ', 'Ben'])).toThrow(part);
    }
  });

  test('is refused without names of the job where its lines look like turns', () => {
    expect(() => parseHumanText('Carl: Yes.\nDora: No.')).toThrow('"Carl:" in line 1, "Dora:" in line 2');
    expect(() => parseHumanText('Carl: Yes.\nQuite.\nSo.\nSo.\nCarl: No.')).toThrow('"Carl:" in line 5');
    expect(() => parseHumanText('Speaker 1: Yes.\nCarl: No.')).toThrow('"Carl:" in line 2');
    expect(() => parseHumanText('Carl: Yes.')).toThrow('Known are "Speaker 0:", "Speaker 1:" and so on.');
  });

  test.each([
    'He said: Yes.',
    'Note: it is so.',
    'At 10:30 he came.',
    'Ben 1:30 is late.',
    '10: so.',
    'And the four things we need are: so.',
    'https://example.org is it.',
    'So it is.\nMonday: so.\nAnd so on.',
    'Ben: Yes.\nAnna: Carl: No.\nSpeaker 2: Dora: No.',
  ])('with a colon that is no label is read: %j', text => {
    const words = (of: string) => wordsOf(of.replaceAll(/^(Ben|Anna|Speaker 2):/gm, ''));
    const { monologues } = parseHumanText(text, /^Ben:/.test(text) ? ['Anna', 'Ben'] : []);
    expect(wordsOf(monologues.map(({ elements }) => textOf(elements)).join(' '))).toEqual(words(text));
  });

  test('has marks as separate elements', () => {
    const [monologue] = parseHumanText('Well [inaudible].').monologues;
    expect(monologue!.elements).toEqual([
      { type: 'text', value: 'Well' },
      { type: 'punct', value: ' ' },
      { type: 'unknown', value: '<inaudible>' },
      { type: 'punct', value: '.' },
    ]);
  });

  test('keeps every word in order', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), lines => {
        const text = lines.map(line => line.replaceAll(/[[\]<>:]|\p{Cc}/gu, ' ')).join('\n');
        fc.pre(!/^\s*Speaker \d/mu.test(text));
        const { monologues } = parseHumanText(text);
        expect(wordsOf(monologues.map(({ elements }) => textOf(elements)).join(' '))).toEqual(wordsOf(text));
      }),
    );
  });
});

test('turns are written as text that is read back, with any names', () => {
  const name = fc.constantFrom('Anna', 'anna', 'Ann', 'Ben: Carl', 'Ben', 'Speaker 1', '', ' ', 'A\nB');
  const turn = fc.record({
    speaker: fc.nat(8),
    text: fc.constantFrom('Yes, quite.', 'Anna: no.', 'Speaker 3: no.', 'So [inaudible].'),
  });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), fc.array(turn), (names, turns) => {
      const read = parseHumanText(writeHumanText(turns, names), names);
      const numbered = turns.map(({ speaker, text }) => `Speaker ${speaker}: ${text}\n`).join('');
      expect(read).toEqual(parseHumanText(numbered));
    }),
  );
  const turns = [0, 1, 2].map(speaker => ({ speaker, text: 'Yes.' }));
  expect(writeHumanText(turns, ['Anna', 'Ben'])).toBe('Anna: Yes.\nBen: Yes.\nSpeaker 2: Yes.\n');
});

test('words of a person get the times of the same words of the machine, and others none', () => {
  const work = parseHumanText('It was so.');
  const known = withMachineTimes(work, draftOf('it is so'), { human: HUMAN });
  const words = wordElements(known);
  expect(words).toEqual([
    { type: 'text', value: 'It', ts: 0, endTs: 0.75 },
    { type: 'text', value: 'was' },
    { type: 'text', value: 'so', ts: 2, endTs: 2.75 },
  ]);
});

const counts = ({ words, changedWords }: ReturnType<typeof correctionsIn>) => ({ words, changedWords });

test('words of the machine count as changed when the work does not have them, whatever their case and marks', () => {
  const changes = (work: string, input: TranscriptionInput = {}) =>
    counts(correctionsIn(parseHumanText(work), draftOf('it is so'), input));
  expect(changes('Speaker 0: It IS, so!')).toEqual({ words: 3, changedWords: 0 });
  expect(changes('It really was so.')).toEqual({ words: 3, changedWords: 1 });
  expect(changes('[inaudible]')).toEqual({ words: 3, changedWords: 3 });
  const segments = [{ start: 1.5, end: 60 }];
  expect(changes('It was.', { human: { ...HUMAN, segments } })).toEqual({ words: 1, changedWords: 1 });
});

describe('the result of a person', () => {
  test('is text, or a transcript in JSON', () => {
    const transcript = heard('It is so.');
    expect(parseHumanTranscript(JSON.stringify(encodeTranscript(transcript), null, 2))).toEqual(transcript);
    expect(turnsOf(parseHumanTranscript('[inaudible] it is so.'))).toEqual(['0: [inaudible] it is so.']);
    expect(turnsOf(parseHumanTranscript('Ben: So it is.', ['Anna', 'Ben']))).toEqual(['1: So it is.']);
    expect(
      turnsOf(parseHumanTranscript('Speaker 1  0:01 So\nSpeaker 1  0:02 it\nSpeaker 1  0:03 is.')),
    ).toEqual(['1: So it is.']);
  });

  test.for([
    ['without words', ' \n', 'The transcript has no words.'],
    ['that is damaged JSON', '{"monologues": [{"secret": ', 'The transcript is damaged JSON.'],
    [
      'that is other JSON',
      '{"monologues": [{"speaker": "secret"}]}',
      'it differs from the format at /monologues/0',
    ],
    ['that is subtitles', '1\n00:00:01,000 --> 00:00:02,000\nsecret\n', 'must be text or JSON, not SubRip.'],
    ['that is a page', '<p>secret</p>', 'must be text or JSON, not XML or HTML.'],
    ['of an empty transcript', '{"monologues": []}', 'The transcript has no words.'],
  ] as const)('%s is refused', ([, contents, message]) => {
    expect(() => parseHumanTranscript(contents)).toThrow(message);
    expect(() => parseHumanTranscript(contents)).not.toThrow('secret');
  });
});

describe('a finished transcript', () => {
  test('has the words of the person at the times of the machine', () => {
    const work = parseHumanText('It was, I think, so.');
    const { monologues } = finishHuman(work, draftOf('it is i sink so'), { human: HUMAN });
    expect(monologues).toEqual([
      {
        speaker: 0,
        elements: [
          { type: 'text', value: 'It', ts: 0, endTs: 0.75, confidence: 1 },
          { type: 'punct', value: ' ' },
          { type: 'text', value: 'was', ts: 1, endTs: 1.75, confidence: 1 },
          { type: 'punct', value: ',' },
          { type: 'punct', value: ' ' },
          { type: 'text', value: 'I', ts: 2, endTs: 2.75, confidence: 1 },
          { type: 'punct', value: ' ' },
          { type: 'text', value: 'think', ts: 3, endTs: 3.75, confidence: 1 },
          { type: 'punct', value: ',' },
          { type: 'punct', value: ' ' },
          { type: 'text', value: 'so', ts: 4, endTs: 4.75, confidence: 1 },
          { type: 'punct', value: '.' },
        ],
      },
    ]);
  });

  test('reserves time for inaudible speech', () => {
    const work = parseHumanText('It [inaudible] so.');
    const words = wordElements(finishHuman(work, draftOf('it is so'), { human: HUMAN }));
    expect(words.map(({ ts }) => ts)).toEqual([0, 2]);
  });

  test('names the speakers whose labels are names, and those that were named at the desk, but no other numbers', () => {
    const named = (text: string, given: readonly string[] = []) => {
      const names = namesForText(text, { given, offered: ['Anna', 'Ben'] });
      const work = withNames(parseHumanText(text, names), { speakers: names });
      const { monologues } = finishHuman(work, draftOf('it is so so'), { human: HUMAN });
      return monologues.map(({ speaker, speakerInfo }) => [speaker, speakerInfo?.displayName]);
    };
    expect(named('Ben: It is.\nAnna: So?')).toEqual([
      [1, 'Ben'],
      [0, 'Anna'],
    ]);
    expect(named('Ben: It is.\nSpeaker 0: So?\nspeaker 2 0:03 So.')).toEqual([
      [3, 'Ben'],
      [0, undefined],
      [2, undefined],
    ]);
    expect(named('Ben: It is.\nSpeaker 0: So?\nCem: So.', ['Ben', '', 'Cem'])).toEqual([
      [0, 'Ben'],
      [2, 'Cem'],
    ]);
  });

  test('has one turn with skip_diarization', () => {
    const human = { ...HUMAN, speakerNames: ['Anna', 'Ben'] };
    const work = parseHumanText('Ben: It is.\nAnna: So?', human.speakerNames);
    const finished = finishHuman(work, draftOf('it is so'), { human, skipDiarization: true });
    expect(turnsOf(finished)).toEqual(['0: It is. So?']);
    expect(finished.monologues[0]).not.toHaveProperty('speakerInfo');
  });

  test('is masked, or without punctuation, if the job requests it', () => {
    const work = parseHumanText('What bullshit!');
    const draft = draftOf('what bullshit');
    const text = (input: object) => turnsOf(finishHuman(work, draft, { human: HUMAN, ...input }));
    expect(text({})).toEqual(['0: What bullshit!']);
    expect(text({ filterProfanity: true })).toEqual(['0: What b******t!']);
    const bare = finishHuman(work, draft, { human: HUMAN, skipPunctuation: true });
    expect(bare.monologues[0]!.elements.map(({ type }) => type)).toEqual(['text', 'text']);
  });

  test('stays within the requested segments', () => {
    const human = {
      ...HUMAN,
      segments: [
        { start: 180, end: 240 },
        { start: 60, end: 120 },
      ],
    };
    const transcript = heard(Array.from({ length: 300 }, (_, at) => `w${at}`).join(' '));
    const work = parseHumanText('w5 w61 w62 unheard w119 w150 w181 w239 w299');
    const words = wordElements(finishHuman(work, { transcript, seconds: 300 }, { human }));
    const starts = Object.fromEntries(words.map(({ value, ts }) => [value, ts]));
    expect(starts).toMatchObject({ w61: 61, w62: 62, w119: 119, w181: 181, w239: 239 });
    for (const { ts, endTs } of words) {
      expect((ts! >= 60 && endTs! <= 120) || (ts! >= 180 && endTs! <= 240)).toBe(true);
    }
  });

  test('of a transcript that was edited keeps the times of the words that stayed', () => {
    const edited = parseHumanTranscript(
      JSON.stringify(encodeTranscript(heard('it is so'))).replace('"is","ts":1,"end_ts":1.75', '"was"'),
    );
    const words = wordElements(finishHuman(edited, draftOf('it is so'), { human: HUMAN }));
    expect(words.map(({ value, ts, endTs }) => [value, ts, endTs])).toEqual([
      ['it', 0, 0.75],
      ['was', 1, 1.75],
      ['so', 2, 2.75],
    ]);
  });

  test('that equals the draft, as text or JSON, has its times', () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at % 17}x${at % 5}`).join(' ');
    const draft = draftOf(words);
    const expected = wordElements(draft.transcript).map(({ value, ts, endTs }) => ({ value, ts, endTs }));
    for (const work of [
      writePlainText(draft.transcript),
      JSON.stringify(encodeTranscript(draft.transcript)),
    ]) {
      const finished = wordElements(finishHuman(parseHumanTranscript(work), draft, { human: HUMAN }));
      expect(finished.map(({ value, ts, endTs }) => ({ value, ts, endTs }))).toEqual(expected);
    }
  });

  test('has all words of the person in order, with times that never decrease for one speaker', () => {
    fc.assert(
      fc.property(anyTranscript, anyTranscript, (work, machine) => {
        const finished = finishHuman(work, { transcript: machine, seconds: 100 }, {});
        const values = (transcript: Transcript) =>
          transcript.monologues.flatMap(({ elements }) => elements.map(({ value }) => value));
        expect(values(finished)).toEqual(values(work));
        const reached = new Map<number, number>();
        for (const { speaker, elements } of finished.monologues) {
          for (const { ts, endTs } of wordElements({ monologues: [{ speaker, elements }] })) {
            expect(ts).toBeGreaterThanOrEqual(reached.get(speaker) ?? 0);
            expect(endTs).toBeGreaterThan(ts!);
            expect(endTs).toBeLessThanOrEqual(100);
            reached.set(speaker, endTs!);
          }
        }
      }),
    );
  });
});
