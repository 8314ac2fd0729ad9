import type { AudioBlock } from '../../audio/format/format.ts';
import { encodePcm } from '../../audio/pcm/pcm.ts';
import { writeWav } from '../../audio/pcm/wav.ts';

/** The format of streams. */
const FORMAT = { sampleFormat: 'S16LE', sampleRate: 16_000, channels: 1 } as const;
const SECOND_OF_SILENCE = new Uint8Array(2 * FORMAT.sampleRate);
/** Pieces of audio that become one blob, which a browser may keep on the disk. */
const PIECES_OF_BLOB = 300;

/** Keeps the audio of a recording for playback. A gap in the positions becomes silence. */
export function createKeptAudio() {
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let frames = 0;
  const put = (piece: Uint8Array<ArrayBuffer>) => {
    pieces.push(piece);
    frames += piece.length / 2;
    if (pieces.length < PIECES_OF_BLOB) return;
    blobs.push(new Blob(pieces));
    pieces = [];
  };
  return {
    /** Takes a block of 16 kHz and one channel. */
    add(block: AudioBlock): void {
      while (block.startFrame > frames) put(SECOND_OF_SILENCE.subarray(0, 2 * (block.startFrame - frames)));
      put(encodePcm(block.samples, FORMAT.sampleFormat));
    },
    /** Returns all audio so far as a WAV file. */
    file(name: string): File {
      const [header] = writeWav(FORMAT, frames, []).bytes;
      return new File([header as Uint8Array<ArrayBuffer>, ...blobs, ...pieces], name, { type: 'audio/wav' });
    },
  };
}
