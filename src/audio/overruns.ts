/** What ALSA's recorder writes when nobody took its audio in time, in any language; the number is the milliseconds. */
const OVERRUN = /!!! ?\(\D*(\d+)[.,](\d+)[^\n]*\n/g;

/** A line is not longer. */
const MAX_LINE = 500;

/**
 * Reads of the messages of arecord, which come in pieces of any size, how many milliseconds it has lost. It knows a lower
 * bound only.
 *
 * @example
 * const lostMs = createOverrunReader();
 * lostMs('overrun!!! (at least 12.5'); // 0
 * lostMs('00 ms long)\n'); // 12.5
 */
export function createOverrunReader(): (text: string) => number {
  let rest = '';
  return text => {
    const all = rest + text;
    const overruns = [...all.matchAll(OVERRUN)];
    rest = all.slice(all.lastIndexOf('\n') + 1).slice(-MAX_LINE);
    return overruns.reduce((sum, [, whole, part]) => sum + Number(`${whole}.${part}`), 0);
  };
}
