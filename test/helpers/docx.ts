import { crc32, deflateRawSync } from 'node:zlib';

/** Returns a ZIP archive of files, with these names and contents. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    // From the version to the length of the extra field, as both headers have it.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** Returns a Word document with this body. */
export function docxOf(body: string): Buffer {
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`;
  return zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': document });
}

/** Returns a paragraph of one run with this text. */
export const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** Returns a row of cells, each with these paragraphs. */
export function row(...cells: readonly (string | readonly string[])[]): string {
  const cellOf = (texts: string | readonly string[]) =>
    `<w:tc><w:tcPr/>${[texts].flat().map(paragraph).join('')}</w:tc>`;
  return `<w:tr>${cells.map(cellOf).join('')}</w:tr>`;
}
