/** Containers that are detected by their first bytes. */
export type Container = 'wav' | 'flac' | 'ogg' | 'mp3' | 'aac' | 'mp4' | 'matroska' | 'aiff' | 'w64' | 'caf';

/** Names of containers in messages. */
export const CONTAINER_NAMES: Readonly<Record<Container, string>> = {
  wav: 'WAV',
  flac: 'FLAC',
  ogg: 'Ogg',
  mp3: 'MP3',
  aac: 'AAC',
  mp4: 'MP4',
  matroska: 'Matroska',
  aiff: 'AIFF',
  w64: 'W64',
  caf: 'CAF',
};

/** Bytes by which most containers are detected. */
export const SNIFF_BYTES = 12;
/** Bytes that decide for the rest: a recording of a radio station begins within a frame. */
export const LONG_SNIFF_BYTES = 4096;

/** Magic texts by their offsets in the first bytes. */
type Magic = Readonly<Record<number, string>>;

const MAGICS: readonly (readonly [Container, Magic])[] = [
  ['wav', { 0: 'RIFF', 8: 'WAVE' }],
  ['wav', { 0: 'RF64', 8: 'WAVE' }],
  ['wav', { 0: 'BW64', 8: 'WAVE' }],
  ['flac', { 0: 'fLaC' }],
  ['ogg', { 0: 'OggS' }],
  ['mp3', { 0: 'ID3' }],
  ['mp4', { 4: 'ftyp' }],
  ['matroska', { 0: '\x1aE\xdf\xa3' }],
  ['aiff', { 0: 'FORM', 8: 'AIF' }],
  ['w64', { 0: 'riff\x2e\x91\xcf\x11' }],
  ['caf', { 0: 'caff\x00\x01' }],
];

/** Returns the container that begins with the given bytes, or undefined. Needs {@link SNIFF_BYTES} to be certain. */
export function sniffContainer(head: Uint8Array): Container | undefined {
  return findMagic(MAGICS, head) ?? sniffFrame(head);
}

/** Returns whether a recording begins with the given bytes, and is certain to: those without a magic number are not. */
export function beginsRecording(head: Uint8Array): boolean {
  return findMagic(MAGICS, head) !== undefined;
}

function findMagic<Name>(magics: readonly (readonly [Name, Magic])[], head: Uint8Array): Name | undefined {
  const text = String.fromCharCode(...head.subarray(0, SNIFF_BYTES));
  const match = magics.find(([, magic]) =>
    Object.entries(magic).every(([at, part]) => text.startsWith(part, Number(at))),
  );
  return match?.[0];
}

/** Detects MPEG audio and ADTS, which have no magic number, but frames that begin with 11 or 12 ones. */
function sniffFrame(head: Uint8Array): Container | undefined {
  const [first, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const isVersion = (second & 0x18) !== 0x08;
  const isLayer = (second & 0x06) !== 0;
  const isBitRate = (third & 0xf0) !== 0xf0;
  const isSampleRate = (third & 0x0c) !== 0x0c;
  return isVersion && isLayer && isBitRate && isSampleRate ? 'mp3' : undefined;
}

const OTHER_MAGICS: readonly (readonly [string, Magic])[] = [
  ['a PDF document', { 0: '%PDF' }],
  ['a program', { 0: '\x7fELF' }],
  ['a ZIP archive', { 0: 'PK\x03\x04' }],
  ['a gzip archive', { 0: '\x1f\x8b' }],
  ['a PNG image', { 0: '\x89PNG' }],
  ['a JPEG image', { 0: '\xff\xd8\xff' }],
  ['a GIF image', { 0: 'GIF8' }],
  ['a WebP image', { 0: 'RIFF', 8: 'WEBP' }],
  ['a TIFF image', { 0: 'II*\0' }],
  ['a TIFF image', { 0: 'MM\0*' }],
  ['a part of an MP4 recording without its beginning', { 4: 'moof' }],
  ['a part of an MP4 recording without its beginning', { 4: 'styp' }],
];
const TEXTS: readonly (readonly [string, RegExp])[] = [
  ['HTML', /^\s*<(!doctype html|html|head|body)\b/i],
  ['XML', /^\s*<(\?xml|svg)\b/],
  ['JSON', /^\s*(\{\s*["}]|\[)/],
];
/** Characters that no text has: control characters without white space. */
const CONTROL = /[^\P{Cc}\s]/u;

/** Names the content of bytes that are no audio, such as `a PDF document` or `text`; undefined when they may be audio. */
export function sniffOther(head: Uint8Array): string | undefined {
  const other = findMagic(OTHER_MAGICS, head);
  if (other) return other;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return 'text';
  try {
    // With `stream`, a character that is cut at the end is no fault.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    if (CONTROL.test(text)) return undefined;
    return TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
  } catch {
    return undefined;
  }
}
