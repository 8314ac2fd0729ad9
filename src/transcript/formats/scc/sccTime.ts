/** Frames of NTSC video in a second: 29.97. */
const FRAMES_PER_SECOND = 30_000 / 1001;
const FRAMES_PER_MINUTE = 1798;
const FRAMES_PER_TEN_MINUTES = 17_982;
/** Frames of 100 hours: timecodes have two digits for the hours. */
export const FRAMES_OF_TIMECODES = 600 * FRAMES_PER_TEN_MINUTES;

/** Returns the frame on the screen at a time. */
export function frameAt(seconds: number): number {
  return Math.max(0, Math.round(seconds * FRAMES_PER_SECOND));
}

/** Returns the time in seconds at which a frame begins. */
export function secondsOfFrame(frame: number): number {
  return frame / FRAMES_PER_SECOND;
}

/**
 * Returns the timecode of a frame. A drop-frame timecode skips the numbers 0 and 1 at the start of each minute but every tenth,
 * and so follows the wall clock (SMPTE ST 12-1).
 */
export function sccTimecode(frame: number, { dropFrame }: { readonly dropFrame: boolean }): string {
  const number = dropFrame ? frame + droppedBefore(frame) : frame;
  const parts = [number / 108_000, (number / 1800) % 60, (number / 30) % 60, number % 30];
  const [hours, minutes, seconds, frames] = parts.map(part => String(Math.floor(part)).padStart(2, '0'));
  return `${hours}:${minutes}:${seconds}${dropFrame ? ';' : ':'}${frames}`;
}

/** Returns the timecode numbers that are skipped before a frame. */
function droppedBefore(frame: number): number {
  const tens = Math.floor(frame / FRAMES_PER_TEN_MINUTES);
  const rest = frame % FRAMES_PER_TEN_MINUTES;
  // The first minute of ten has all its 1800 numbers.
  return 18 * tens + 2 * Math.max(0, Math.floor((rest - 2) / FRAMES_PER_MINUTE));
}

/** Returns the frame of a timecode; undefined for another text. */
export function frameOfTimecode(timecode: string): { frame: number; dropFrame: boolean } | undefined {
  const match = /^(\d{2,4}):([0-5]\d):([0-5]\d)([;:])([0-2]\d)$/.exec(timecode);
  if (!match) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = [match[1], match[2], match[3], match[5]].map(
    Number,
  );
  const dropFrame = match[4] === ';';
  const wholeMinutes = hours * 60 + minutes;
  const dropped = dropFrame ? 2 * (wholeMinutes - Math.floor(wholeMinutes / 10)) : 0;
  return { frame: (wholeMinutes * 60 + seconds) * 30 + frames - dropped, dropFrame };
}
