import { Cta608Parser } from '@svta/cml-608';

/** A caption as a decoder of CEA-608 shows it. */
export interface DecodedCaption {
  readonly ts: number;
  readonly endTs: number;
  readonly rows: readonly string[];
  /** Row of the screen of each row, from 0 to 14. */
  readonly places: readonly number[];
}

/** A line of codes in an SCC file. */
export interface CodeLine {
  /** Frame of the first pair. */
  readonly frame: number;
  readonly bytes: readonly number[];
}

const FRAME_SECONDS = 1001 / 30_000;

/** Reads the lines of an SCC file; frames are counted by walking through the numbers that drop-frame timecodes have. */
export function codeLines(file: string): readonly CodeLine[] {
  const [header, ...lines] = file.trimEnd().split(/\n+/);
  if (header !== 'Scenarist_SCC V1.0') throw new Error('The file has no header.');
  return lines.map(line => {
    const [timecode, pairs] = line.split('\t');
    const bytes = pairs!.split(' ').flatMap(pair => [...Buffer.from(pair, 'hex')]);
    return { frame: frameOf(timecode!), bytes };
  });
}

function frameOf(timecode: string): number {
  const [hours, minutes, seconds, frames] = timecode.split(/[:;]/).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  let frame = ((hours * 60 + minutes) * 60 + seconds) * 30 + frames;
  if (!timecode.includes(';')) return frame;
  for (let minute = 1; minute <= hours * 60 + minutes; minute++) if (minute % 10 > 0) frame -= 2;
  return frame;
}

/** Characters that the decoder gives as similar ones. */
const SIMILAR = new Map(
  Array.from('\u223c\u2501\u2503\u250f\u2513\u2517\u251b', (each, index) => [
    each,
    '~\u2014\u00a6\u250c\u2510\u2514\u2518'[index]!,
  ]),
);

/** Decodes an SCC file by `@svta/cml-608`. */
export function decodeScc(file: string): readonly DecodedCaption[] {
  return decode608(codeLines(file).map(({ frame, bytes }) => ({ seconds: frame * FRAME_SECONDS, bytes })));
}

/** Bytes of field 1 of CEA-608, and when the first of them is received. */
export interface FieldBytes {
  readonly seconds: number;
  readonly bytes: readonly number[];
}

/** Decodes the first channel of CEA-608 by `@svta/cml-608`. */
export function decode608(field: readonly FieldBytes[]): readonly DecodedCaption[] {
  const captions: DecodedCaption[] = [];
  const parser = new Cta608Parser(
    1,
    {
      newCue(ts: number, endTs: number, screen: { rows: readonly { getTextString(): string }[] }) {
        const texts = screen.rows.map(row =>
          Array.from(row.getTextString(), each => SIMILAR.get(each) ?? each).join(''),
        );
        const places = [...texts.keys()].filter(place => texts[place]!.trim() !== '');
        captions.push({ ts, endTs, places, rows: places.map(place => texts[place]!.trim()) });
      },
    },
    null,
  );
  for (const { seconds, bytes } of field) parser.addData(seconds, [...bytes]);
  return captions;
}
