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

test('MPEG audio needs more than two frames that fit by chance', () => {
  const bytes = new Uint8Array(LONG_SNIFF_BYTES).fill(0x80);
  const frameBytes = 417;
  const withFrames = (count: number) => {
    for (let at = 100; at < 100 + count * frameBytes && at < bytes.length; at += frameBytes) {
      bytes.set([0xff, 0xfb, 0x90, 0x00], at);
    }
    return hasMpegFrames(bytes);
  };
  expect(withFrames(2)).toBe(false);
  expect(withFrames(20)).toBe(true);
});
