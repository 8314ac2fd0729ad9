import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cue } from '../../../src/transcript/cues/cue.ts';
import { writeScc } from '../../../src/transcript/formats/scc/scc.ts';
import { readSrt, writeSrt } from '../../../src/transcript/formats/srt.ts';
import { writeVtt } from '../../../src/transcript/formats/vtt.ts';
import { cuesOf, hostileLine } from '../../helpers/cueArbitraries.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { needsProgram } from '../../helpers/needs.ts';

interface VttParser {
  parse(text: string): {
    readonly errors: readonly { readonly message: string }[];
    readonly cues: readonly {
      readonly startTime: number;
      readonly endTime: number;
      readonly tree: VttNode;
    }[];
  };
}

interface VttNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly VttNode[];
}

const textOf = ({ value, children = [] }: VttNode): string => children.map(textOf).join('') || (value ?? '');

const { WebVTTParser } = createRequire(import.meta.url)('webvtt-parser') as {
  readonly WebVTTParser: new (entities: Readonly<Record<string, string>>) => VttParser;
};

/** The default of the parser has no semicolons, and leaves them in the text. */
const VTT_ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const CUES: readonly Cue[] = [
  { ts: 2, endTs: 4, lines: ['Fish & chips,', '5 < 6 \u266a'] },
  { ts: 4.083, endTs: 6, lines: ['Caf\u00e9 --> here.'] },
];

/** Returns what ffmpeg reads from a file of captions. */
async function readByFfmpeg(file: string, ending: string): Promise<readonly Cue[]> {
  const directory = await temporaryDirectory();
  const [from, to] = [join(directory, `captions.${ending}`), join(directory, 'read.srt')];
  await writeFile(from, file);
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-loglevel', 'warning', '-i', from, to], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return readSrt(await readFile(to, 'utf8'));
}

const ms = (seconds: number) => Math.round(seconds * 1000);

describe('WebVTT', () => {
  test('has no errors for the parser of the W3C, whatever the captions', () => {
    fc.assert(
      fc.property(cuesOf(hostileLine), cues => {
        const { errors, cues: read } = new WebVTTParser(VTT_ENTITIES).parse(writeVtt(cues));
        expect(errors).toEqual([]);
        expect(read.map(({ startTime, endTime }) => [ms(startTime), ms(endTime)])).toEqual(
          cues.map(({ ts, endTs }) => [ms(ts), ms(endTs)]),
        );
        expect(read.map(({ tree }) => textOf(tree).split('\n'))).toEqual(
          cues.map(cue => spacedLines(cue).join('\n').toWellFormed().split('\n')),
        );
      }),
      { numRuns: 30 },
    );
  });
});

/** Returns the lines of a cue, without what is no text to some readers. */
const spacedLines = ({ lines }: Cue) =>
  lines
    .map(line =>
      line
        .replace(/[\uFFFE\uFFFF]/gu, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    )
    .filter(line => line !== '');

describe('ffmpeg reads', { tags: 'tools' }, () => {
  test.for([
    ['srt', writeSrt],
    ['vtt', writeVtt],
  ] as const)('%s with the same text and times', async ([ending, write], context) => {
    needsProgram(context, 'ffmpeg');
    expect(await readByFfmpeg(write(CUES), ending)).toEqual(CUES);
  });

  test('srt as our own reader does, whatever the captions', async context => {
    needsProgram(context, 'ffmpeg');
    await fc.assert(
      fc.asyncProperty(cuesOf(hostileLine), async list => {
        const cues = list.filter(cue => spacedLines(cue).length > 0);
        // The other reader refuses a file without captions.
        fc.pre(cues.length > 0);
        const own = readSrt(writeSrt(cues));
        expect(await readByFfmpeg(writeSrt(cues), 'srt')).toEqual(own);
        expect(own.map(({ ts, lines }) => [ts, lines.length])).toEqual(
          cues.map(cue => [cue.ts, spacedLines(cue).length]),
        );
      }),
      { numRuns: 10 },
    );
  });

  test('scc with the same text', async context => {
    needsProgram(context, 'ffmpeg');
    const read = await readByFfmpeg(writeScc(CUES), 'scc');
    expect(read.map(({ lines }) => lines)).toEqual([
      ['Fish & chips,', '5 < 6 \u266a'],
      ['Caf\u00e9 --> here.'],
    ]);
    // ffmpeg shows a caption when its codes begin, and removes it in time.
    expect(read.at(-1)!.endTs).toBeCloseTo(6, 1);
  });
});
