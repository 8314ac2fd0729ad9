import { expect, test } from 'vitest';
import { hasMpegFrames } from '../../../src/audio/containers/mpeg.ts';
import { LONG_SNIFF_BYTES, sniffContainer } from '../../../src/audio/containers/sniff.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['RIFF....WAVE', 'wav'],
  ['RF64....WAVE', 'wav'],
  ['BW64....WAVE', 'wav'],
  ['fLaC', 'flac'],
  ['OggS', 'ogg'],
  ['ID3\x04', 'mp3'],
  ['\xff\xfb\x90\x64', 'mp3'],
  ['\xff\xf1\x50\x80', 'aac'],
  ['....ftypM4A ', 'mp4'],
  ['\x1a\x45\xdf\xa3', 'matroska'],
  ['FORM....AIFF', 'aiff'],
  ['FORM....AIFC', 'aiff'],
])('%j begins %s', (head, container) => {
  expect(sniffContainer(latin1(head))).toBe(container);
});

test.each([
  '',
  'R',
  'RIFF....AVI ',
  'RIFX....WAVE',
  '\xff\xff\xff\xff',
  '\xff\xfb\xf0\x00',
  '#!/bin/sh',
  '%PDF-1.7',
])('%j begins nothing that is known', head => {
  expect(sniffContainer(latin1(head))).toBeUndefined();
});

test('MPEG audio has three frames of one stream in a row: two may fit by chance', () => {
  const bytesWith = (...headers: readonly (readonly number[])[]) => {
    const bytes = new Uint8Array(LONG_SNIFF_BYTES).fill(0x80);
    for (const [index, header] of headers.entries()) bytes.set(header, 100 + index * 417);
    return bytes;
  };
  const header = [0xff, 0xfb, 0x90, 0x00];
  expect(hasMpegFrames(bytesWith(header, header))).toBe(false);
  expect(hasMpegFrames(bytesWith(header, header, [0xff, 0xfb, 0x94, 0x00]))).toBe(false);
  expect(hasMpegFrames(bytesWith(header, header, header))).toBe(true);
  expect(hasMpegFrames(Uint8Array.of(0xff))).toBe(false);
});
