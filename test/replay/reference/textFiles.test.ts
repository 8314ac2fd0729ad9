import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readReference } from '../../../src/replay/reference/readReference.ts';
import { englishRules } from '../../../src/replay/rules/english/englishRules.ts';
import { writeJsonLines } from '../../../src/transcript/formats/jsonLines.ts';
import { writeScc } from '../../../src/transcript/formats/scc/scc.ts';
import { writeTtml } from '../../../src/transcript/formats/ttml.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;

async function wordsOf(path: string): Promise<string> {
  const { segments } = await readReference(path);
  const text = segments.map(segment => segment.text).join('\n');
  return englishRules
    .words(text)
    .map(({ word }) => word)
    .join(' ');
}

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryDirectory(), name);
  await writeFile(path, content);
  return path;
}

const FIRST = 'He was not an ill disposed young man';
const SECOND = 'unless to be rather cold hearted';
const SAID = `${FIRST} ${SECOND}`.toLowerCase();

const srt = (...cues: readonly string[]) => cues.map((cue, index) => `${index + 1}\n${cue}\n`).join('\n');
const VTT = 'WEBVTT\n\n';
const [AT_1, AT_3] = ['00:00:01,000 --> 00:00:03,000', '00:00:03,200 --> 00:00:05,000'];
const CUES = srt(`${AT_1}\n${FIRST}`, `${AT_3}\n${SECOND}`);
const XML = '<?xml version="1.0"?>\n';

/** Files with the words of {@link SAID}, by what is odd about them. */
const READ: Readonly<Record<string, readonly [name: string, content: string]>> = {
  'a blank line within a cue': [
    'a.srt',
    srt(`${AT_1}\nHe was not an ill\n\ndisposed young man`, `${AT_3}\n${SECOND}`),
  ],
  'a line of spaces within a cue': [
    'a.srt',
    srt(`${AT_1}\nHe was not an ill\n \t\ndisposed young man`, `${AT_3}\n${SECOND}`),
  ],
  'a blank line after the timing': ['a.srt', srt(`${AT_1}\n\n${FIRST}`, `${AT_3}\n\n\n${SECOND}`)],
  'a blank line after each line': ['a.srt', CUES.replaceAll('\n', '\n\n')],
  'two carriage returns a line': ['a.srt', CUES.replaceAll('\n', '\r\r\n')],
  'carriage returns only': ['a.srt', CUES.replaceAll('\n', '\r')],
  'text before the first cue': ['a.srt', `Translated by Ann\nhttps://example.org\n\n${CUES}`],
  'no numbers': ['a.srt', `${AT_1}\n${FIRST}\n\n${AT_3}\n${SECOND}\n`],
  'numbers without sense': [
    'a.srt',
    `7\n${AT_1}\n${FIRST}\n\n7\n${AT_3}\n${SECOND}\n\n9\n`.replace(/9\n$/, ''),
  ],
  'a block without a timing': [
    'a.srt',
    srt(`${AT_1}\nHe was not`, 'an ill disposed young man', `${AT_3}\n${SECOND}`),
  ],
  'a cue that ends before it starts': [
    'a.srt',
    srt(`00:00:03,000 --> 00:00:01,000\n${FIRST}`, `${AT_3}\n${SECOND}`),
  ],
  'a cue without text': [
    'a.srt',
    srt(`${AT_1}\n${FIRST}`, '00:00:03,000 --> 00:00:03,100', `${AT_3}\n${SECOND}`),
  ],
  'cues at the same time': ['a.srt', srt(`${AT_1}\n${FIRST}`, `00:00:02,000 --> 00:00:05,000\n${SECOND}`)],
  'hours over 99': ['a.srt', CUES.replaceAll('00:00:', '100:00:')],
  'points and commas': ['a.srt', CUES.replace('00,', '00.').replace('03,2', '3.2')],
  'spaces within its times': ['a.srt', CUES.replaceAll(':00:0', ': 00: 0').replaceAll(',', ', ')],
  'a short arrow': ['a.srt', CUES.replaceAll('-->', '->')],
  'a damaged time': ['a.srt', CUES.replace('00:00:03,200', '00:00:O3,200').replace('00:00:05,000', '00:0')],
  'a mark and notes of WebVTT': [
    'a.srt',
    `\uFEFF${CUES.replace('\n\n', '\n\nNOTE by Ann\nand Bo\n\nSTYLE\n::cue { color: red }\n\n')}`,
  ],
  'tags of WebVTT': [
    'a.srt',
    CUES.replace('He was', '<v Ann>He <c.red>was</c>').replace('to be', '<00:00:04.000>to be</v>'),
  ],
  'the content of WebVTT': ['a.srt', `${VTT}${CUES.replaceAll(',', '.')}`],
  'the content of SubRip as WebVTT': ['a.vtt', CUES],
  'the content of SubRip as text': ['a.txt', CUES],
  'the content of WebVTT as text': ['a.txt', VTT + CUES.replaceAll(',', '.')],
  'the content of TTML as text': ['a.txt', writeTtml([{ ts: 1, endTs: 2, lines: [FIRST, SECOND] }])],
  'stray text between cues': [
    'a.vtt',
    `${VTT}${AT_1}\n${FIRST}\n\nstray text\nof two lines\n\n${AT_3}\n${SECOND}\n`,
  ],
  'identifiers and stray numbers': [
    'a.vtt',
    `${VTT}intro\n${AT_1}\n${FIRST}\n\n17\n\nmain\n${AT_3}\n${SECOND}\n`,
  ],
  'notes, styles and regions': [
    'a.vtt',
    `${VTT}NOTE one\n\nSTYLE\n::cue(b) { color: red }\n\nREGION\nid:fred\nwidth:40%\n\n${AT_1}\n${FIRST}\n\nNOTE\ntwo\nlines\n\n${AT_3} line:0\n${SECOND}\n\nNOTE end`,
  ],
  'a reversed cue': ['a.vtt', `${VTT}00:03.000 --> 00:01.000\n${FIRST}\n\n${AT_3}\n${SECOND}\n`],
  'a map of HLS': [
    'a.vtt',
    `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n${AT_1}\n${FIRST}\n\nWEBVTT\n\n${AT_3}\n${SECOND}`,
  ],
  'the timing of SubViewer and YouTube': [
    'a.sbv',
    `0:00:01.000,0:00:03.000\n${FIRST}\n\n0:00:03.200,0:00:05.000\n${SECOND}\n`,
  ],
  'TTML of another writer': [
    'a.xml',
    `${XML}<tt xmlns="http://www.w3.org/ns/ttml"><!-- <p>no</p> --><head><metadata><ttm:title>A title</ttm:title></metadata></head>
    <body><div><p begin="1s" dur="2s">He was not<br/>
      an <span tts:color='red'>ill</span>&#32;disposed young man</p><p/><p begin="3.2s"
      end="5s">unless to be rather cold&#x20;hearted</p></div></body></tt>`,
  ],
  'the paragraphs of this program': ['a.txt', `Speaker 0    00:00:01    ${FIRST}\n\n00:00:03    ${SECOND}\n`],
  'a time in its text': ['a.txt', `${FIRST}\n${SECOND}\n`],
};

describe('the words of a file', () => {
  test.each(Object.entries(READ))('are those of its text with %s', async (_, [name, content]) => {
    expect(await wordsOf(await fileOf(name, content))).toBe(SAID);
  });

  test('are those of its text if this program wrote it as TTML', async () => {
    expect(await wordsOf(join(FIXTURES, 'captions/own.ttml'))).toBe(
      await wordsOf(join(SAMPLES, 'sense-and-sensibility.txt')),
    );
  });

  test('are those of its text after a blank line in a cue', async () => {
    expect(await wordsOf(join(FIXTURES, 'captions/h-blank-in-cue.srt'))).toBe(
      `${SAID} is to be ill disposed`,
    );
  });

  test('have the times of their cues in TTML', async () => {
    const path = await fileOf(
      'a.ttml',
      `<tt><p begin="00:00:01.500" end="00:00:02.250">a</p><p begin="3s" dur="500ms">b</p><p end='00:00:04' begin='0:00:03'>c</p></tt>`,
    );
    expect((await readReference(path)).segments).toEqual([
      { text: 'a', ts: 1.5, endTs: 2.25 },
      { text: 'b', ts: 2.25, endTs: 2.25 },
      { text: 'c', ts: 3, endTs: 4 },
    ]);
  });
});

const words = FIRST.split(' ');
const timed = (texts: readonly string[], seconds = 0.25) =>
  srt(...texts.map((text, at) => `${stamp(at * seconds)} --> ${stamp((at + 1) * seconds)}\n${text}`));
const stamp = (seconds: number) => `00:00:${seconds.toFixed(3).padStart(6, '0').replace('.', ',')}`;
const marked = (mark: (word: string) => string) =>
  timed([...words.map((_, at) => words.with(at, mark(words[at]!)).join(' ')), SECOND]);

/** Files that repeat their lines. */
const REPEATED: Readonly<Record<string, string>> = {
  underlined: marked(word => `<u>${word}</u>`),
  coloured: marked(word => `<font color="#ff0">${word}</font>`),
  'in capitals': marked(word => word.toUpperCase()),
  'in braces of styles': marked(word => `{\\b1}${word}{\\b0}`),
  added: timed([...words.map((_, at) => words.slice(0, at + 1).join(' ')), SECOND]),
  'added in two rows': timed([
    ...words.map((_, at) => words.slice(0, at + 1).join(' ')),
    ...SECOND.split(' ').map(
      (_, at) =>
        `${FIRST}\n${SECOND.split(' ')
          .slice(0, at + 1)
          .join(' ')}`,
    ),
  ]),
  'rolled up': timed([
    'He was not',
    'He was not\nan ill',
    'an ill\ndisposed young man',
    `disposed young man\n${SECOND}`,
    SECOND,
  ]),
  'rolled up, with blank rows': timed([
    ' \nHe was not',
    'He was not\n ',
    'He was not\nan ill disposed',
    'an ill disposed\n ',
    'an ill disposed\nyoung man',
    'young man\n ',
    `young man\n${SECOND}`,
  ]),
  'rolled up with other line breaks': timed([
    'He was not an ill',
    'He was not an ill\ndisposed young',
    'disposed young man',
    `young man\n${SECOND}`,
  ]),
};

describe('lines that are repeated', () => {
  test('count once if the file repeats them for each word', async () => {
    expect(await wordsOf(join(FIXTURES, 'captions/hl-whisper.srt'))).toBe(`${SAID} is to be ill disposed`);
  });

  test.each(Object.entries(REPEATED))('count once if their words are %s', async (_, content) => {
    expect(await wordsOf(await fileOf('a.srt', content))).toBe(SAID);
  });

  test('count once if the cues overlap', async () => {
    const overlapping = timed([
      'He was not',
      'He was not\nan ill',
      'an ill\ndisposed young man',
      `disposed young man\n${SECOND}`,
    ]).replaceAll(/--> 00:00:0(\d)/g, (_, second) => `--> 00:00:0${Number(second) + 3}`);
    expect(await wordsOf(await fileOf('a.srt', overlapping))).toBe(SAID);
  });

  test.each([
    [['No.', 'No.', 'No.', 'No.']],
    [['No.', 'No, I will not.', 'I will.', 'I never do.', 'I never do.', 'So be it.']],
    [['Come on!', 'Come on!', 'He was not', 'an ill disposed', 'young man.']],
  ])('count as often as they were said: %j', async said => {
    const expected = said.join(' ').toLowerCase().replace(/[.,!]/g, '');
    expect(await wordsOf(await fileOf('a.srt', timed(said, 1)))).toBe(expected);
  });
});

const ASS = `[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,${FIRST}\n`;

/** Files that are not read. */
const REFUSED: readonly (readonly [format: RegExp, name: string, content: string])[] = [
  [/Scenarist/, 'a.scc', writeScc([{ ts: 1, endTs: 3, lines: [FIRST] }])],
  [/Scenarist/, 'a.txt', writeScc([{ ts: 1, endTs: 3, lines: [FIRST] }])],
  [/SubStation/, 'a.ass', ASS],
  [/SubStation/, 'a.txt', `\uFEFF${ASS.replaceAll('\n', '\r\n')}`],
  [/table/, 'a.tsv', `start\tend\ttext\n0\t3000\t${FIRST}\n`],
  [/table/, 'a.txt', `0.000000\t3.000000\t${FIRST}\n`],
  [/table/, 'a.csv', `start,end,text\n0.0,3.0,"${FIRST}"\n`],
  [/LRC/, 'a.lrc', `[ar:Ann]\n[00:01.00]${FIRST}\n`],
  [/LRC/, 'a', `[00:01.00]${FIRST}\n[00:03.20]${SECOND}\n`],
  [/MicroDVD/, 'a.sub', `{25}{75}${FIRST}\n{80}{125}${SECOND}\n`],
  [/XML or HTML/, 'a.smi', `<SAMI><BODY><SYNC Start=1000><P>${FIRST}</SAMI>`],
  [/XML or HTML/, 'a.html', `<!DOCTYPE html>\n<title>Talk</title><p>${FIRST}\n`],
  [/XML or HTML/, 'a.txt', `<p>${FIRST}</p>\n<p>${SECOND}</p>\n`],
  [/XML or HTML/, 'a.xml', `${XML}<transcript><text start="1" dur="2">${FIRST}</text></transcript>`],
  [/MicroDVD/, 'a.txt', `[10][30]${FIRST}\n`],
  [/MicroDVD/, 'a.psb', `{0:00:01}{0:00:03}${FIRST}\n`],
  [/markup/, 'a.stl', `//Font select\n00:00:01:00,00:00:03:00,${FIRST}\n`],
  [
    /markup/,
    'a.ssa',
    `; by Ann\n[Script Info]\nDialogue: Marked=0,0:00:01.00,0:00:03.00,,,0,0,0,,${FIRST}\n`,
  ],
  [/markup/, 'a.wiki', `== Talk ==\n{{by|Ann}}\n'''${FIRST}'''\n[[Talk|${SECOND}]]\n`],
  [/markup/, 'a.md', `**Ann** (0:01):\n${FIRST}\n\n**Bo** (0:03):\n${SECOND}\n`],
  [/Rich Text/, 'a.txt', `{\\rtf1\\ansi ${FIRST}}`],
  [/PDF/, 'a.txt', '%PDF-1.4\n1 0 obj\n'],
  [/TextGrid/, 'a.TextGrid', `File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\n`],
  [/markup/, 'a.txt', `[00:00:01] ${FIRST}\n[00:00:03] ${SECOND}\n[00:00:05] is\n`.replace('[', ' [')],
  [/markup/, 'a', `00:01 ${FIRST}\n00:03 ${SECOND}\n00:05 is to be\n`],
  [/markup/, 'a.md', `Ann Low  0:01\n${FIRST}\n\nBo  0:03\n${SECOND}\n\nAnn Low  0:05\nyes\n`],
  [
    /markup/,
    'a.yaml',
    `- start: 1.0\n  end: 3.0\n  text: ${FIRST}\n- start: 3.2\n  end: 5.0\n  text: ${SECOND}\n`,
  ],
  [/markup/, 'a.tex', `${FIRST} \\emph{or}\n\\textit{unless} to be\n\\section{rather}\n`],
  [/markup/, 'a.txt', `He <b>was</b> not\nan <i>ill</i> disposed\nyoung <u>man</u>\n`],
  [/not a transcript/, 'a.txt', `[{"start": 1, "end": 3, "text": "${FIRST}"}]`],
  [/no cue|timing/, 'a.srt', `${FIRST}\n`],
  [/cassette/, 'a.jsonl', writeJsonLines([{ ts: 1, endTs: 2, lines: [FIRST] }])],
];

describe('a file of another format', () => {
  test.each(REFUSED)('is refused as %s, whatever its name: %s', async (format, name, content) => {
    const fault = readReference(await fileOf(name, content));
    await expect(fault).rejects.toThrow(format);
    await expect(fault).rejects.toMatchObject({ code: 'unreadable-input' });
    await expect(fault).rejects.not.toThrow('young man');
  });

  test('does not include text that has a few marks', async () => {
    for (const text of [
      '10:30 is late.',
      'On May 5 2024 we met',
      'I <3 you, and 5 < 6 > 4.',
      '<inaudible> He was\n<inaudible> not\n[laughs] an\n',
      '{laughs} He was not',
      '[Ann] He was not',
      '[[laughs]] He was not',
      '1: go -> stop\n2: x --> y',
      'C:\\talk and 1:0',
      'we won the 4 100 meter races',
      'Meet me at 10:30 or (12:15).\nBring the <i>book</i>.\n[[laughs]]\n1\n2\n3\n4\n5\n6\n7\n',
      'Ann: Hi.\nBo: It is\nAnn: 12:30 now.\nBo: No.',
    ]) {
      expect((await readReference(await fileOf('a.txt', text))).kind).toBe('text');
    }
  });
});

test('fixtures of captions, as this program writes them, have the words of their text', async () => {
  const said = (await readFile(join(FIXTURES, 'replay/sense-and-sensibility.srt'), 'utf8')).length;
  expect(said).toBeGreaterThan(0);
  const wanted = await wordsOf(join(FIXTURES, 'cues/sense-and-sensibility.bbc.srt'));
  for (const ending of ['vtt', 'ttml']) {
    expect(await wordsOf(join(FIXTURES, `cues/sense-and-sensibility.bbc.${ending}`))).toBe(wanted);
  }
});
