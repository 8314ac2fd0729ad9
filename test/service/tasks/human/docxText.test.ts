import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docxText } from '../../../../src/service/tasks/human/docxText.ts';
import { docxOf, paragraph, row, zipOf } from '../../../helpers/docx.ts';

const linesOf = async (body: string) => (await docxText(docxOf(body))).split('\n');

test('a paragraph is a line, with its tabs and breaks', async () => {
  const body = `
    ${paragraph('Anna: Fish &amp; chips')}
    <w:p>
      <w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>
      <w:r><w:t>Ben:</w:t><w:tab/><w:t>Sal</w:t></w:r><w:hyperlink><w:r><w:t>t</w:t><w:br/><w:t>and</w:t></w:r></w:hyperlink>
    </w:p>
    <w:p/>
    <w:sdt><w:sdtContent>${paragraph('vinegar.')}</w:sdtContent></w:sdt>`;
  expect(await linesOf(body)).toEqual(['Anna: Fish & chips', 'Ben:\tSalt', 'and', '', 'vinegar.']);
});

test('text that was deleted or moved, and copies for old programs are left out', async () => {
  const body = `<w:p>
    <w:r><w:t>So</w:t></w:r><w:del><w:r><w:delText> no</w:delText></w:r></w:del>
    <w:moveFrom><w:r><w:t> there</w:t></w:r></w:moveFrom><w:ins><w:r><w:t> it is</w:t></w:r></w:ins>
    <w:r><mc:AlternateContent>
      <mc:Choice Requires="wps">${paragraph('Aside.')}</mc:Choice><mc:Fallback>${paragraph('Aside.')}</mc:Fallback>
    </mc:AlternateContent></w:r>
  </w:p>`;
  expect(await linesOf(body)).toEqual(['Aside.', 'So it is']);
});

test('the first cell of a row is the label of a speaker; times and headings are left out', async () => {
  const heading = row('Speaker', 'Text').replace('<w:tr>', '<w:tr><w:trPr><w:tblHeader/></w:trPr>');
  const nested = row('Cleo:', 'Yes').replace('<w:p>', `<w:tbl>${row('In', 'side')}</w:tbl><w:p>`);
  const body = `<w:tbl><w:tblPr/>${heading}${row('Anna', ['Good', 'morning.'])}
    ${row('0:03', 'Ben  Smith', 'So it is.')}${row('Cleo', '[00:00:04]', 'No.')}
    ${row('', 'Well.')}${row('0:05', 'Alone.')}${nested}</w:tbl>`;
  expect(await linesOf(body)).toEqual([
    'Anna:\tGood',
    'morning.',
    'Ben Smith:\tSo it is.',
    'Cleo:\tNo.',
    '',
    'Well.',
    'Alone.',
    'In side Cleo:\tYes',
  ]);
});

test('a document of LibreOffice is read, with paragraphs and a table', async () => {
  const file = new URL('../../../fixtures/human/interview.docx', import.meta.url);
  expect((await docxText(readFileSync(file))).split('\n')).toEqual([
    'Anna: Good morning, everybody.',
    'It is nine o’clock.',
    'Ben: So it is & was.',
    'Anna:\tThe child almost hurt',
    'the small dog.',
    'Ben:\tDrop the two.',
    'Thank you.',
  ]);
});

test.each([
  ['what is no archive', Buffer.from('PK\x03\x04 and so on'), 'End of central directory'],
  ['an archive without a document', zipOf({ 'content.xml': '<a/>' }), 'it has no word/document.xml'],
  ['a document that is no XML', zipOf({ 'word/document.xml': 'text' }), 'text data outside of root node'],
  ['a document that ends early', zipOf({ 'word/document.xml': '<a>' }), 'unclosed tag: a'],
  [
    'a document type',
    zipOf({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }),
    'it has a document type',
  ],
  ['an entity', zipOf({ 'word/document.xml': '<a>&b;</a>' }), 'undefined entity'],
  ['deep elements', docxOf('<w:p>'.repeat(300)), 'nested too deep'],
  ['a text that is too large', docxOf(' '.repeat(33 * 1024 * 1024)), 'more than 33554432 bytes'],
])('%s is refused', async (_, bytes, reason) => {
  await expect(docxText(bytes)).rejects.toThrow(`The Word document cannot be read: `);
  await expect(docxText(bytes)).rejects.toThrow(reason);
});

test('a text that is larger than it claims to be is refused', async () => {
  const bytes = docxOf(' '.repeat(40 * 1024 * 1024));
  const entry = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  bytes.writeUInt32LE(1000, entry + 24);
  await expect(docxText(bytes)).rejects.toThrow('cannot be read');
});
