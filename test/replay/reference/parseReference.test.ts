import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidArgumentError, RxscribeError } from '../../../src/base/errors.ts';
import { encodeTranscript } from '../../../src/protocol/transcriptJson.ts';
import { withoutRepeats } from '../../../src/replay/reference/parseCaptions.ts';
import { parseReference } from '../../../src/replay/reference/readReference.ts';
import {
  kindOfName,
  kindOfText,
  TEXT_KINDS,
  type TextKind,
  UnreadableReferenceError,
} from '../../../src/replay/reference/reference.ts';
import { captionCues } from '../../../src/transcript/cues/captionCues.ts';
import { writePlainText } from '../../../src/transcript/formats/plainText.ts';
import { writeSrt } from '../../../src/transcript/formats/srt.ts';
import { textFormat } from '../../../src/transcript/formats/textFormat.ts';
import { writeVtt } from '../../../src/transcript/formats/vtt.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';

const segments = (text: string, kind: TextKind, path?: string) => parseReference(text, kind, path).segments;
const wordsOf = (texts: readonly { readonly text: string }[]) =>
  texts
    .map(({ text }) => text)
    .join(' ')
    .split(/\s+/)
    .filter(word => word !== '');

describe('plain text', () => {
  test('has a segment per line', () => {
    expect(segments('Good morning.\r\nHello.\n', 'text')).toEqual([
      { text: 'Good morning.' },
      { text: 'Hello.' },
    ]);
  });

  test('has a segment per paragraph when blank lines separate them', () => {
    expect(segments('\uFEFFone\ntwo\n \n\nthree', 'text')).toEqual([{ text: 'one two' }, { text: 'three' }]);
  });

  test('has no segments when it is blank', () => {
    for (const blank of ['', '\uFEFF', ' \n\t\r\n']) expect(segments(blank, 'text')).toEqual([]);
  });

  test('has speakers when other lines follow those with names', () => {
    expect(segments('Alice: Hello there\nhow are you\n\nBob: fine thanks', 'text')).toEqual([
      { speaker: 'Alice', text: 'Hello there how are you' },
      { speaker: 'Bob', text: 'fine thanks' },
    ]);
    expect(segments('Speaker 1: a\nb\nc\nd\nSpeaker 1: e', 'text')).toEqual([
      { speaker: 'Speaker 1', text: 'a b c d' },
      { speaker: 'Speaker 1', text: 'e' },
    ]);
    expect(segments('Ann: a\n\nb\n\nBo: c', 'text').map(({ speaker }) => speaker)).toEqual([
      'Ann',
      'Ann',
      'Bo',
    ]);
  });

  test('has speakers when all lines have names', () => {
    expect(segments('Ann: Hi.\n\nDr. Núñez-Low: It is 10:30 now.\nAnn: Well: no.', 'text')).toEqual([
      { speaker: 'Ann', text: 'Hi.' },
      { speaker: 'Dr. Núñez-Low', text: 'It is 10:30 now.' },
      { speaker: 'Ann', text: 'Well: no.' },
    ]);
  });

  test('keeps text that only looks like a name', () => {
    expect(segments('Note: one line', 'text')).toEqual([{ text: 'Note: one line' }]);
    expect(segments('Ann: Hi.\nand more', 'text')).toEqual([{ text: 'Ann: Hi.' }, { text: 'and more' }]);
    for (const text of [
      'She said: go home\nHe said: no way',
      'First\nAnn: a\nBo: b',
      'Ann: a\nb\nc\nd\nNote: e',
      'John Ronald Reuel Tolkien: a\nJohn Ronald Reuel Tolkien: b',
    ]) {
      expect(segments(text, 'text')).toEqual(text.split('\n').map(line => ({ text: line })));
    }
    expect(segments('at 12:30 here\nat 1:30', 'text')).toEqual([
      { text: 'at 12:30 here' },
      { text: 'at 1:30' },
    ]);
  });

  test('is read in the format that this program writes', () => {
    expect(
      segments('Speaker 0    00:00:01    Hi there.\nSpeaker 1    00:00:03    Yes.\n', 'text'),
    ).toMatchObject([
      { speaker: '0', text: 'Hi there.', ts: 1 },
      { speaker: '1', text: 'Yes.', ts: 3 },
    ]);
  });
});

describe('the output of this program', () => {
  test('has the words of any transcript, from each format', () => {
    fc.assert(
      fc.property(transcript, said => {
        const whole = said.monologues.map(({ elements }) => ({ text: textOf(elements) }));
        expect(wordsOf(segments(JSON.stringify(encodeTranscript(said)), 'json'))).toEqual(wordsOf(whole));
        const isPlain = writePlainText(said) !== '';
        if (isPlain) expect(wordsOf(segments(writePlainText(said), 'text'))).toEqual(wordsOf(whole));
        const cues = captionCues(said);
        const shown = cues.map(({ lines }) => ({
          text: lines.map(line => line.replace(/^>> /, '')).join(' '),
        }));
        // Repeated words may look like rolling captions.
        fc.pre(withoutRepeats(cues) === cues);
        expect(wordsOf(segments(writeVtt(cues), 'vtt'))).toEqual(wordsOf(shown));
      }),
      { numRuns: 100 },
    );
  });

  test('has speakers and times of a transcript', () => {
    const json = {
      monologues: [
        {
          speaker: 1,
          speaker_info: { id: '1', display_name: 'Ann' },
          elements: [
            { type: 'text', value: 'Good', ts: 0.5, end_ts: 0.9 },
            { type: 'punct', value: ' ' },
            { type: 'text', value: 'morning', ts: 1, end_ts: 1.5 },
            { type: 'punct', value: '.' },
          ],
        },
        { speaker: 2, elements: [{ type: 'text', value: 'Hi' }] },
        { speaker: 3, elements: [] },
      ],
    };
    expect(segments(JSON.stringify(json), 'json')).toEqual([
      { speaker: 'Ann', text: 'Good morning.', ts: 0.5, endTs: 1.5 },
      { speaker: '2', text: 'Hi' },
    ]);
  });

  test('has cues of captions', () => {
    const cues = [
      { ts: 0, endTs: 1.5, lines: ['Good', 'morning.'], speaker: 'Ann & Bo' },
      { ts: 2, endTs: 3, lines: ['No.'] },
      { ts: 3, endTs: 4, lines: ['No.'] },
    ];
    const said = [
      { ts: 0, endTs: 1.5, text: 'Good morning.' },
      { ts: 2, endTs: 3, text: 'No.' },
      { ts: 3, endTs: 4, text: 'No.' },
    ];
    expect(segments(writeSrt(cues), 'srt')).toEqual(said);
    expect(segments(writeVtt(cues), 'vtt')).toEqual([{ ...said[0], speaker: 'Ann & Bo' }, said[1], said[2]]);
  });
});

describe('captions', () => {
  test('that roll up count once', () => {
    const rolling = [
      { ts: 0, endTs: 2, lines: ['so today'] },
      { ts: 2, endTs: 2.01, lines: ['so today'] },
      { ts: 2.01, endTs: 4, lines: ['so today', 'we look at'] },
      { ts: 4, endTs: 4.01, lines: ['we look at'] },
      { ts: 4.01, endTs: 6, lines: ['we look at', 'the sea'] },
      { ts: 9, endTs: 10, lines: ['the sea', 'again'] },
    ];
    expect(wordsOf(segments(writeVtt(rolling), 'vtt')).join(' ')).toBe(
      'so today we look at the sea the sea again',
    );
  });

  test('that roll up word by word count once', () => {
    const rolling = [
      'WEBVTT\nKind: captions\nLanguage: en\n',
      '00:00:00.000 --> 00:00:02.000 align:start position:0%\n \nso<00:00:00.400><c> today</c>\n',
      '00:00:02.000 --> 00:00:02.010 align:start position:0%\nso today\n \n',
      '00:00:02.010 --> 00:00:04.000 align:start position:0%\nso today\nwe<00:00:02.400><c> look</c>\n',
      '00:00:04.000 --> 00:00:04.010 align:start position:0%\nwe look\n \n',
      '00:00:04.010 --> 00:00:06.000 align:start position:0%\nwe look\nat<00:00:04.400><c> it</c>\n',
    ].join('\n');
    expect(segments(rolling, 'vtt')).toEqual([
      { text: 'so today', ts: 0, endTs: 2 },
      { text: 'we look', ts: 2.01, endTs: 4 },
      { text: 'at it', ts: 4.01, endTs: 6 },
    ]);
  });

  test('keep a single repeated line', () => {
    const cues = [
      { ts: 0, endTs: 2, lines: ['I said', 'no'] },
      { ts: 2, endTs: 4, lines: ['no', 'and no'] },
      { ts: 4, endTs: 6, lines: ['then I', 'left'] },
      { ts: 6, endTs: 8, lines: ['and came', 'back'] },
    ];
    expect(wordsOf(segments(writeSrt(cues), 'srt')).join(' ')).toBe(
      'I said no no and no then I left and came back',
    );
  });

  const srt = (...cues: readonly string[]) =>
    cues.map((cue, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${cue}\n`).join('\n');
  const spoken = (...cues: readonly string[]) =>
    segments(srt(...cues), 'srt').map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text));

  test('have their character references decoded', () => {
    expect(spoken('R&amp;D &#39;n&#x27; &lt;3&nbsp;you')).toEqual([`R&D 'n' <3\u00A0you`]);
    expect(segments('WEBVTT\n\n00:00.000 --> 00:01.000\n&amp;amp; so', 'vtt')[0]?.text).toBe('&amp; so');
  });

  test('lose their songs', () => {
    expect(spoken('♪ la la ♪', '♪ la\nla ♪ Stop!', 'Hear me.\nla la ♪', '♪♪', 'No. ♪ la la')).toEqual([
      'Stop!',
      'Hear me.',
      'No.',
    ]);
  });

  test('have names of speakers in capitals, unless all text is in capitals', () => {
    expect(
      spoken('JOHN: No way.\nReally.', '- DR. LOW: Hi.\n- MAN 2: Oh: no.', '>> ANN: Yes.\nAt BBC: x'),
    ).toEqual(['JOHN: No way. Really.', 'DR. LOW: Hi.', 'MAN 2: Oh: no.', 'ANN: Yes. At BBC: x']);
    expect(segments(srt('>> HE SAID: GO'), 'srt')).toEqual([{ text: 'HE SAID: GO', ts: 0, endTs: 1 }]);
  });

  test('lose the marks of speaker changes', () => {
    expect(segments('1\n00:00:00,000 --> 00:00:01,000\n>> Hi.\n', 'srt')).toEqual([
      { ts: 0, endTs: 1, text: 'Hi.' },
    ]);
  });
});

describe('the kind', () => {
  test.each([
    ['a/b.TXT', 'text'],
    ['b.json', 'json'],
    ['b.srt', 'srt'],
    ['b.vtt', 'vtt'],
    ['b.stm', undefined],
    ['b.TTML', 'ttml'],
    ['b.cassette.jsonl', 'cassette'],
    ['b.wav', undefined],
  ])('of %s is %s', (name, kind) => {
    expect(kindOfName(name)).toBe(kind);
  });

  test.each([
    ['WEBVTT\n', 'vtt'],
    ['1\n00:00:00,000 --> 00:00:01,000\nHi.', 'srt'],
    ['{ "monologues": [] }', 'json'],
    ['{"type":"cassette","version":1}\n{}', 'cassette'],
    ['Good morning to you, 2 of 3.', 'text'],
    ['', 'text'],
  ])('of %j is %s', (text, kind) => {
    expect(kindOfText(text)).toBe(kind);
  });

  test('that is unknown is an error', () => {
    expect(() => parseReference('', 'textgrid' as TextKind)).toThrow(InvalidArgumentError);
    expect(() => parseReference('', 'cassette' as TextKind)).toThrow(InvalidArgumentError);
  });
});

describe('a damaged reference', () => {
  test('has its place in the error, without any text', () => {
    const faults = [
      () => segments('{\n "monologues": [secret]', 'json', 'x.json'),
      () => segments('{"monologues": [{"speaker": "secret", "elements": []}]}', 'json', 'x.json'),
      () => segments('WEBVTT\n\nsecret', 'vtt', 'x.vtt'),
      () => segments('\n1\nsecret', 'srt', 'x.srt'),
    ];
    const messages = faults.map(fault => {
      expect(fault).toThrow(UnreadableReferenceError);
      try {
        return String(fault());
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(messages[0]).toBe("Cannot read the reference 'x.json', line 2: it is not JSON.");
    expect(messages[1]).toMatch(
      /^Cannot read the reference 'x\.json': it is not a transcript .*: \/monologues\/0\/speaker /,
    );
    expect(messages[2]).toBe("Cannot read the reference 'x.vtt', line 3: WebVTT: the cue has no timing.");
    expect(messages[3]).toMatch(/^Cannot read the reference 'x\.srt', line 2: SRT: /);
    expect(messages.join()).not.toContain('secret');
  });

  test('gives segments with text, or a typed error', () => {
    const field = fc.constantFrom('talk', 'A', '0', '1.5', '<o>', '{', '}');
    const line = fc.oneof(
      fc.array(field, { maxLength: 9 }).map(fields => fields.join(' ')),
      fc.constantFrom(
        'WEBVTT',
        '00:00:01.000 --> 00:00:02.000',
        '1',
        '<v A>x',
        'Ann: x',
        '{"monologues":[',
        ']}',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    );
    const text = fc.oneof(
      fc.array(line, { maxLength: 12 }).map(lines => lines.join('\n')),
      fc.json().map(json => `{"monologues":[{"speaker":0,"elements":${json}}]}`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...TEXT_KINDS), (text, kind) => {
        try {
          for (const segment of segments(text, kind)) expect(segment.text).toMatch(/\S/u);
        } catch (error) {
          expect(error).toBeInstanceOf(RxscribeError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['{', '{a/', '<v ', 'a ', '00:', '{"a":', '[', 'A: ', '1 1 1 1 1 ', '-->'])(
    'of a megabyte of "%s" ends',
    unit => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      for (const kind of TEXT_KINDS) {
        try {
          segments(text, kind);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableReferenceError);
        }
      }
      expect(textFormat(text)).toBeTruthy();
    },
  );
});
