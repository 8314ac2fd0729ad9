import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { fromBufferPromise } from 'yauzl';
import { InvalidArgumentError, reasonOf } from '../../../base/errors.ts';

/** The part of a Word document that has its text. */
const DOCUMENT = 'word/document.xml';
/** Limit of its unpacked bytes; a day of speech has less. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 200;

/** Namespaces of the elements of a text. */
const WORDS = /\/wordprocessingml\//;
/** Elements whose text does not count: properties, deleted or moved text, and alternatives for old programs. */
const LEFT_OUT: ReadonlySet<string> = new Set(['pPr', 'tblPr', 'del', 'moveFrom', 'Fallback']);
/** A cell that has only a time. */
const TIME = /^\[?(?:\d+:)?\d+:\d\d(?:[.,]\d+)?\]?$/;

/**
 * Returns the text of a Word document (`.docx`), a paragraph a line. Of a row of a table, the first cell is the label of a
 * speaker; cells with times, and heading rows are left out.
 *
 * @throws InvalidArgumentError when it cannot be read, or is too large
 */
export async function docxText(bytes: Buffer): Promise<string> {
  try {
    const archive = await fromBufferPromise(bytes);
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName !== DOCUMENT) continue;
      if (entry.uncompressedSize > MAX_BYTES) refuse(`its text has more than ${MAX_BYTES} bytes`);
      return await textOf(await archive.openReadStreamPromise(entry));
    }
    refuse(`it has no ${DOCUMENT}`);
  } catch (error) {
    const reason = reasonOf(error);
    throw new InvalidArgumentError(`The Word document cannot be read: ${reason}.`, { cause: error });
  }
}

function refuse(reason: string): never {
  throw new Error(reason);
}

async function textOf(xml: Readable): Promise<string> {
  const lines: string[] = [];
  const parser = createParser(lines);
  for await (const chunk of xml.setEncoding('utf8')) parser.write(chunk);
  parser.close();
  return lines.join('\n');
}

/** Creates a parser that adds lines. */
function createParser(lines: string[]): SaxesParser<{ xmlns: true }> {
  /** The open paragraphs: a frame with text stands in another one. */
  const paragraphs: string[] = [];
  /** The cells of the outermost row, with their lines. */
  let cells: string[][] = [];
  const depth = { all: 0, leftOut: 0, rows: 0 };
  let isText = false;
  let isHeading = false;
  const add = (text: string) => paragraphs.push((paragraphs.pop() ?? '') + text);

  function open(name: string): void {
    if (name === 'p') paragraphs.push('');
    else if (name === 't') isText = true;
    else if (name === 'tab') add('\t');
    else if (name === 'br' || name === 'cr') add('\n');
    else if (name === 'noBreakHyphen') add('-');
    else if (name === 'tr' && depth.rows++ === 0) [cells, isHeading] = [[], false];
    else if (name === 'tc' && depth.rows === 1) cells.push([]);
    else if (name === 'tblHeader') isHeading = true;
  }

  function close(name: string): void {
    if (name === 't') isText = false;
    else if (name === 'tr' && --depth.rows === 0 && !isHeading) lines.push(rowText(cells));
    if (name !== 'p') return;
    const inside = depth.rows > 0 ? cells.at(-1) : lines;
    inside?.push(paragraphs.pop() ?? '');
  }

  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('doctype', () => refuse('it has a document type'));
  parser.on('opentag', ({ local, uri }) => {
    if (++depth.all > MAX_DEPTH) refuse('its elements are nested too deep');
    if (LEFT_OUT.has(local)) depth.leftOut++;
    if (depth.leftOut === 0 && WORDS.test(uri)) open(local);
  });
  parser.on('text', text => {
    if (isText) add(text);
  });
  parser.on('closetag', ({ local, uri }) => {
    depth.all--;
    if (depth.leftOut === 0 && WORDS.test(uri)) close(local);
    if (LEFT_OUT.has(local)) depth.leftOut--;
  });
  return parser;
}

function rowText(cells: readonly (readonly string[])[]): string {
  const texts = cells.map(lines => lines.join('\n').trim());
  const [first = '', ...rest] = texts.filter(text => !TIME.test(text));
  const label = first.replace(/\s+/g, ' ').replace(/:$/, '');
  // A tab after the colon marks any text as a label.
  return label !== '' && rest.length > 0 ? `${label}:\t${rest.join('\n')}` : [first, ...rest].join('\n');
}
