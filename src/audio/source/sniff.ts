/** Containers that are detected by their first bytes. */
export type Container = 'wav' | 'flac' | 'ogg' | 'mp3' | 'aac' | 'mp4' | 'matroska' | 'aiff';

/** Bytes that {@link sniffContainer} needs. */
export const SNIFF_BYTES = 12;

/** Magic texts by their offsets in the first bytes. */
const MAGICS: readonly (readonly [Container, Readonly<Record<number, string>>])[] = [
  ['wav', { 0: 'RIFF', 8: 'WAVE' }],
  ['wav', { 0: 'RF64', 8: 'WAVE' }],
  ['wav', { 0: 'BW64', 8: 'WAVE' }],
  ['flac', { 0: 'fLaC' }],
  ['ogg', { 0: 'OggS' }],
  ['mp3', { 0: 'ID3' }],
  ['mp4', { 4: 'ftyp' }],
  ['matroska', { 0: '\x1aE\xdf\xa3' }],
  ['aiff', { 0: 'FORM', 8: 'AIF' }],
];

/** Returns the container that begins with the given bytes, or undefined. Needs {@link SNIFF_BYTES} to be certain. */
export function sniffContainer(head: Uint8Array): Container | undefined {
  const text = String.fromCharCode(...head.subarray(0, SNIFF_BYTES));
  const match = MAGICS.find(([, magic]) =>
    Object.entries(magic).every(([at, part]) => text.startsWith(part, Number(at))),
  );
  return match?.[0] ?? sniffFrame(head);
}

/** Detects MPEG audio and ADTS, which have no magic number, but frames that begin with 11 or 12 ones. */
function sniffFrame(head: Uint8Array): Container | undefined {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  if ((second & 0xf6) === 0xf0) return 'aac';
  const isVersion = (second & 0x18) !== 0x08;
  const isLayer = (second & 0x06) !== 0;
  const isBitRate = (third & 0xf0) !== 0xf0;
  const isSampleRate = (third & 0x0c) !== 0x0c;
  return isVersion && isLayer && isBitRate && isSampleRate ? 'mp3' : undefined;
}
