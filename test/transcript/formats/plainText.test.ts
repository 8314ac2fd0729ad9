import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lastLabelOf,
  readPlainText,
  writeParagraphs,
  writePlainText,
} from '../../../src/transcript/formats/plainText.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';

const word = (value: string, ts: number) => ({ type: 'text', value, ts, endTs: ts + 0.5 }) as const;
const space = { type: 'punct', value: ' ' } as const;

const name = fc.constantFrom('Ada', 'Dr. Ada Lovelace', 'Speaker', '12:30', '');

const talk: Transcript = {
  monologues: [
    { speaker: 0, elements: [word('Hello', 0.4), space, word('there', 1), { type: 'punct', value: '.' }] },
    { speaker: 1, elements: [word('Hi', 3725.9), { type: 'punct', value: '\n' }] },
    { speaker: 2, elements: [] },
    { speaker: 0, elements: elementsOfText('No times.') },
  ],
};

describe('writePlainText', () => {
  it('writes a line a turn with hours', () => {
    expect(writePlainText(talk)).toBe(
      'Speaker 0    00:00:00    Hello there.\n' +
        'Speaker 1    01:02:05    Hi\n' +
        'Speaker 0    01:02:05    No times.\n',
    );
  });

  it('writes minutes that go on counting', () => {
    expect(writePlainText(talk, { times: 'mm:ss' })).toBe(
      'Speaker 0    00:00    Hello there.\nSpeaker 1    62:05    Hi\nSpeaker 0    62:05    No times.\n',
    );
  });

  it('writes one block where speakers are not separated', () => {
    expect(writePlainText(talk, { skipDiarization: true })).toBe(
      'Speaker 0    00:00:00    Hello there. Hi No times.\n',
    );
  });

  it('names the speakers that have a name, on one line', () => {
    const [hello, hi] = talk.monologues;
    const speakerInfo = { id: '1', displayName: ' Ada\n Lovelace' };
    expect(writePlainText({ monologues: [hello!, { ...hi!, speakerInfo }] })).toBe(
      'Speaker 0    00:00:00    Hello there.\nAda Lovelace    01:02:05    Hi\n',
    );
  });

  it('writes nothing where nothing is said', () => {
    expect(writePlainText({ monologues: [] })).toBe('');
    expect(writePlainText({ monologues: [] }, { skipDiarization: true })).toBe('');
  });
});

/** A sentence of nine words a second, of 50 characters. */
const sentence = (ts: number) =>
  elementsOfText('One two three four five six seven eight nine tens.').map((element, index) =>
    element.type === 'text'
      ? { ...element, ts: ts + index * 0.05, endTs: ts + index * 0.05 + 0.05 }
      : element,
  );
const spoken = (...starts: number[]) => starts.flatMap(ts => [...sentence(ts), space]);

describe('writeParagraphs', () => {
  it('ends a long paragraph with its sentence, and names no speaker where there is one without a name', () => {
    const starts = Array.from({ length: 15 }, (_, index) => index);
    const text = writeParagraphs({ monologues: [{ speaker: 0, elements: spoken(...starts) }] });
    const paragraphs = text.trimEnd().split('\n\n');
    expect(paragraphs.map(paragraph => paragraph.slice(0, 25))).toEqual([
      '00:00:00    One two three',
      '00:00:10    One two three',
    ]);
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/tens\.$/);
  });

  it('begins a paragraph after a long pause, and says who speaks once a turn', () => {
    const speakerInfo = { id: '1', displayName: 'Ada' };
    const text = writeParagraphs({
      monologues: [
        { speaker: 1, speakerInfo, elements: spoken(0, 1, 20) },
        { speaker: 0, elements: spoken(30) },
        { speaker: 1, speakerInfo, elements: spoken(31) },
      ],
    });
    expect(text.replaceAll('One two three four five six seven eight nine tens.', 'One.')).toBe(
      'Ada    00:00:00    One. One.\n\n00:00:20    One.\n\nSpeaker 0    00:00:30    One.\n\nAda    00:00:31    One.\n',
    );
  });

  it('goes on after the speaker of an earlier text', () => {
    const talk = (speaker: number) => ({ monologues: [{ speaker, elements: elementsOfText('Yes.') }] });
    const labelBefore = lastLabelOf(talk(0));
    expect(writeParagraphs(talk(0), { labelBefore })).toBe('00:00:00    Yes.\n');
    expect(writeParagraphs(talk(1), { labelBefore })).toBe('Speaker 1    00:00:00    Yes.\n');
    expect(writeParagraphs(talk(0), { labelBefore: 'Ada' })).toBe('Speaker 0    00:00:00    Yes.\n');
  });

  it('gives paragraphs that are read with the same words, speakers and seconds', () => {
    fc.assert(
      fc.property(transcript, given => {
        const read = readPlainText(writeParagraphs(given));
        const again = {
          monologues: given.monologues.map(({ speaker, elements }) => ({ speaker, elements })),
        };
        const words = (text: string) => text.replace(/^.* {4}\d\d:\d\d:\d\d {4}/gm, '').split(/\s+/);
        expect(words(writePlainText(read))).toEqual(words(writePlainText(again)));
        expect(writeParagraphs(read)).toBe(writeParagraphs(given));
      }),
    );
  });
});

describe('readPlainText', () => {
  it.each(['hh:mm:ss', 'mm:ss'] as const)('reads a text written with %s', times => {
    fc.assert(
      fc.property(transcript, fc.array(name, { maxLength: 3 }), ({ monologues }, names) => {
        const named = monologues.map(monologue => {
          const displayName = names[monologue.speaker];
          return { ...monologue, ...(displayName && { speakerInfo: { id: '', displayName } }) };
        });
        const text = writePlainText({ monologues: named }, { times });
        expect(writePlainText(readPlainText(text), { times })).toBe(text);
      }),
    );
  });

  it('gives names the free numbers', () => {
    const text =
      'Ada    00:00:01    Yes.\nSpeaker 0    00:00:02    No.\nBen    00:03    So.\nAda    00:04    So.\n';
    const { monologues } = readPlainText(text);
    expect(monologues.map(({ speaker, speakerInfo }) => [speaker, speakerInfo?.displayName])).toEqual([
      [1, 'Ada'],
      [0, undefined],
      [2, 'Ben'],
      [1, 'Ada'],
    ]);
  });

  it('gives the first word the time of the turn, and the others none', () => {
    expect(readPlainText('Speaker 3    00:01:02    Hello there.\n')).toEqual({
      monologues: [
        {
          speaker: 3,
          elements: [
            { type: 'text', value: 'Hello', ts: 62 },
            space,
            { type: 'text', value: 'there' },
            { type: 'punct', value: '.' },
          ],
        },
      ],
    });
  });

  it('reads tabs, a byte order mark, other line ends and lines that go on', () => {
    expect(readPlainText('\uFEFFSpeaker 0\t01:02\tHello\r\nthere.\r\n\r\nSpeaker 1 01:03 Hi')).toEqual(
      readPlainText('Speaker 0    00:01:02    Hello there.\nSpeaker 1    00:01:03    Hi\n'),
    );
  });

  it('takes bare text for the words of speaker 0', () => {
    expect(readPlainText('Just words,\nnothing else.')).toEqual({
      monologues: [{ speaker: 0, elements: elementsOfText('Just words, nothing else.') }],
    });
  });

  it('reads nothing from nothing', () => {
    expect(readPlainText('\n \n')).toEqual({ monologues: [] });
  });
});
