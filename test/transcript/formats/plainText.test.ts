import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainText, writePlainText } from '../../../src/transcript/formats/plainText.ts';
import type { Transcript } from '../../../src/transcript/model/model.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { transcript } from '../../helpers/transcriptArbitraries.ts';

const word = (value: string, ts: number) => ({ type: 'text', value, ts, endTs: ts + 0.5 }) as const;
const space = { type: 'punct', value: ' ' } as const;

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

  it('writes nothing where nothing is said', () => {
    expect(writePlainText({ monologues: [] })).toBe('');
    expect(writePlainText({ monologues: [] }, { skipDiarization: true })).toBe('');
  });
});

describe('readPlainText', () => {
  it.each(['hh:mm:ss', 'mm:ss'] as const)('reads what was written with %s', times => {
    fc.assert(
      fc.property(transcript, talk => {
        const text = writePlainText(talk, { times });
        expect(writePlainText(readPlainText(text), { times })).toBe(text);
      }),
    );
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
