/** What was heard at some time. */
interface HeardFor {
  readonly startFrame: number;
  readonly endFrame: number;
  /** Of a hundredth of a second, as the decoder tells it. */
  readonly misfit: number;
}

const TICK_FRAMES = 160;
/** Nobody draws words out more. */
const MAX_TICKS = 60;
const MAX_TICKS_A_PHONE = 30;

/**
 * How much too unlike speech something is that was heard in it, in all its time; below zero when it is likely.
 *
 * @param usual more misfit than this is suspicious, and yet common in short words: it counts by their length
 * @param paid what of its misfit is no more than the price of a way through the grammar
 */
export function excessOf({ startFrame, endFrame, misfit }: HeardFor, usual: number, paid: number): number {
  return ((misfit - usual) * (endFrame - startFrame)) / TICK_FRAMES - paid;
}

/** Whether nobody takes as long to say so many phones. */
export function isTooLong({
  startFrame,
  endFrame,
  phones,
}: Omit<HeardFor, 'misfit'> & { phones: number }): boolean {
  return (endFrame - startFrame) / TICK_FRAMES > MAX_TICKS + MAX_TICKS_A_PHONE * phones;
}

/** What a probability in a grammar adds to the misfit of what follows it. */
export function misfitOfWay(probability: number): number {
  return -Math.log(probability);
}
