import { wrapWords } from '../../text/textWidth.ts';
import { sccCharacter, sccText } from './sccCharacters.ts';

/** Pairs of bytes that belong together: a control code and its repetition, or text. */
export type SccUnit = readonly number[];

/** Control codes of the first channel (CTA-608-E), without parity. */
const RESUME_CAPTION_LOADING = 0x1420;
const ERASE_NON_DISPLAYED_MEMORY = 0x142e;
const ERASE_DISPLAYED_MEMORY = 0x142c;
const END_OF_CAPTION = 0x142f;
const TAB_OFFSET = 0x1720;

/** Address of each row, counted from 1, without indent. */
const ROW_ADDRESSES = [
  0x1140, 0x1160, 0x1240, 0x1260, 0x1540, 0x1560, 0x1640, 0x1660, 0x1740, 0x1760, 0x1040, 0x1340, 0x1360,
  0x1440, 0x1460,
];
const INDENT_BIT = 0x10;
const COLUMNS_OF_INDENT = 4;
/** Shape of the display. */
export const SCC_SHAPE = { columns: 32, rows: 4 } as const;
const BOTTOM_ROW = 15;

/** Control codes are sent twice, since a receiver may miss one; the second is ignored. */
const twice = (pair: number): SccUnit => [withParity(pair), withParity(pair)];

/** Shows the loaded caption. */
export const SHOW: SccUnit = twice(END_OF_CAPTION);
/** Removes the shown caption; also valid while another one is loaded. */
export const ERASE: SccUnit = twice(ERASE_DISPLAYED_MEMORY);

/** Returns rows of text that fit on the display; a row that is too long in the characters of CEA-608 is wrapped. */
export function sccRows(lines: readonly string[]): readonly string[] {
  return lines
    .map(sccText)
    .filter(line => line !== '')
    .flatMap(line => wrapWords(line, SCC_SHAPE.columns));
}

/** Returns the codes that load a caption unseen: at the bottom of the screen, rows in line on the left, centred as a block. */
export function loadUnits(rows: readonly string[]): readonly SccUnit[] {
  const width = Math.max(...rows.map(row => [...row].length));
  const indent = Math.floor((SCC_SHAPE.columns - width) / 2);
  const first = BOTTOM_ROW - rows.length + 1;
  return [
    twice(RESUME_CAPTION_LOADING),
    twice(ERASE_NON_DISPLAYED_MEMORY),
    ...rows.flatMap((row, index) => [...addressUnits(first + index, indent), ...textUnits(row)]),
  ];
}

function addressUnits(row: number, column: number): readonly SccUnit[] {
  const steps = Math.floor(column / COLUMNS_OF_INDENT);
  const tabs = column % COLUMNS_OF_INDENT;
  const address = twice(ROW_ADDRESSES[row - 1]! + INDENT_BIT + 2 * steps);
  return tabs === 0 ? [address] : [address, twice(TAB_OFFSET + tabs)];
}

/** Returns the pairs of a row; the last one is filled up with a null. */
function textUnits(row: string): readonly SccUnit[] {
  const units: SccUnit[] = [];
  let open: number | undefined;
  const add = (byte: number) => {
    if (open === undefined) open = byte;
    else {
      units.push([withParity((open << 8) | byte)]);
      open = undefined;
    }
  };
  const fill = () => {
    if (open !== undefined) add(0);
  };
  for (const each of row) {
    const character = sccCharacter(each)!;
    if (character.type === 'basic') add(character.byte);
    else {
      if (character.type === 'extended') add(character.fallback);
      fill();
      units.push(twice(character.pair));
    }
  }
  fill();
  return units;
}

/** Sets the highest bit of both bytes so that each has an odd number of ones. */
function withParity(pair: number): number {
  return (oddParity(pair >> 8) << 8) | oddParity(pair & 0x7f);
}

function oddParity(byte: number): number {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones % 2 === 0 ? byte | 0x80 : byte;
}
