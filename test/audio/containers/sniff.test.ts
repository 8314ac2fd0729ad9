import { expect, test } from 'vitest';
import { sniffContainer } from '../../../src/audio/containers/sniff.ts';

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
