import type { AlignedWord } from '../../score/scoreTranscript.ts';
import type { PageWord, PlacedText } from './pageData.ts';

interface Place {
  ts: number;
  endTs: number;
}

/** Shortest visible length of a word, in seconds. */
const ROOM_SECONDS = 0.15;

/**
 * Gives each word of an alignment a place in the audio. A word of the reference without times has the place of its
 * aligned word. Words with the same times, from one element, share them. Words without times share the time between
 * their neighbors, and, if that is too short, also half of these.
 */
export function placeWords(alignment: readonly AlignedWord[], seconds: number): readonly PageWord[] {
  const references = fillPlaces(
    alignment
      .filter(({ type }) => type !== 'insertion')
      .map(word => placeOf(word.referenceTs, word.referenceEndTs) ?? placeOf(word.ts, word.endTs)),
    seconds,
  );
  const hypotheses = fillPlaces(
    alignment.filter(({ type }) => type !== 'deletion').map(({ ts, endTs }) => placeOf(ts, endTs)),
    seconds,
  );
  let [said, heard] = [0, 0];
  return alignment.map(({ type, speaker, ...word }): PageWord => {
    const reference = () => placed(word.reference, references[said++]);
    const hypothesis = () => placed(word.hypothesis, hypotheses[heard++]);
    if (type === 'insertion') return { type, speaker, hypothesis: hypothesis() };
    if (type === 'deletion') return { type, speaker, reference: reference() };
    return { type, speaker, reference: reference(), hypothesis: hypothesis() };
  });
}

function placeOf(ts: number | undefined, endTs: number | undefined): Place | undefined {
  return ts === undefined ? undefined : { ts, endTs: Math.max(ts, endTs ?? ts) };
}

function placed(text = '', { ts, endTs }: Place = { ts: 0, endTs: 0 }): PlacedText {
  return { text, ts: Math.round(ts * 1000) / 1000, endTs: Math.round(endTs * 1000) / 1000 };
}

/** Fills missing places, run by run. */
function fillPlaces(places: readonly (Place | undefined)[], seconds: number): readonly Place[] {
  const filled = shareSpans(places);
  for (let start = 0; start < filled.length; start++) {
    if (filled[start]) continue;
    let end = start;
    while (end < filled.length && !filled[end]) end++;
    const [from, to] = roomFor(end - start, filled[start - 1], filled[end], seconds);
    const each = (to - from) / (end - start);
    for (let index = start; index < end; index++) {
      filled[index] = { ts: from + (index - start) * each, endTs: from + (index - start + 1) * each };
    }
  }
  return filled as Place[];
}

/** Divides a time that several adjacent words share. */
function shareSpans(places: readonly (Place | undefined)[]): (Place | undefined)[] {
  const shared = places.map(place => place && { ...place });
  for (let start = 0, end = 0; start < places.length; start = end) {
    const place = places[start];
    for (end = start + 1; place && isSame(place, places[end]); ) end++;
    if (!place) continue;
    const each = (place.endTs - place.ts) / (end - start);
    for (let index = start; index < end; index++) {
      shared[index] = { ts: place.ts + (index - start) * each, endTs: place.ts + (index - start + 1) * each };
    }
  }
  return shared;
}

function isSame(one: Place, other: Place | undefined): boolean {
  return one.ts === other?.ts && one.endTs === other.endTs;
}

/** Returns the time between two words, which give up half of theirs when it is too short. */
function roomFor(count: number, before: Place | undefined, after: Place | undefined, seconds: number) {
  const between = [before?.endTs ?? 0, after?.ts ?? Math.max(seconds, before?.endTs ?? 0)] as const;
  if (between[1] - between[0] >= count * ROOM_SECONDS) return between;
  if (before) before.endTs = (before.ts + before.endTs) / 2;
  if (after) after.ts = (after.ts + after.endTs) / 2;
  const from = before?.endTs ?? 0;
  return [from, Math.max(from, after?.ts ?? seconds)] as const;
}
