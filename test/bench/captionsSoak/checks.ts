import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TRANSCRIPT_ENDINGS } from '../../../src/captions/files/transcriptEnding.ts';
import { readCassette } from '../../../src/replay/cassette/read/readCassette.ts';
import { scoreWords } from '../../../src/replay/score/errorCounts.ts';
import { readHlsCaptions } from '../../helpers/hlsCaptions.ts';
import { transcriptFileText } from '../../helpers/transcriptFileText.ts';
import { type CaptionerPlaces, transcriptPath, wordsIn } from './captioner.ts';

/** Faults that were found, with the times at which something was read. */
export interface Findings {
  /** Times that all files were read. */
  reads: number;
  readonly faults: string[];
  /** Listed segments of HLS and their texts. */
  readonly segments: Map<string, string>;
  /** Captions of HLS by their times and text; one on a border is in two segments. */
  readonly segmentCues: Map<string, string>;
}

export const noFindings = (): Findings => ({
  reads: 0,
  faults: [],
  segments: new Map(),
  segmentCues: new Map(),
});

/** Reads all files as other programs do, and notes what they would refuse. */
export async function checkFiles(places: CaptionerPlaces, findings: Findings): Promise<void> {
  for (const ending of TRANSCRIPT_ENDINGS) {
    const content = await readFile(transcriptPath(places, ending), 'utf8').catch(() => undefined);
    if (content === undefined) continue;
    await transcriptFileText(ending, content).catch(error => findings.faults.push(`${ending}: ${error}`));
  }
  findings.reads++;
  await checkSegments(places, findings);
}

async function checkSegments({ targets }: CaptionerPlaces, { faults, segments, segmentCues }: Findings) {
  const files = await readdir(targets.hls);
  if (!files.includes('captions.m3u8')) return;
  try {
    for (const { file, text, cues } of (await readHlsCaptions(targets.hls)).segments) {
      const before = segments.get(file);
      if (before !== undefined && before !== text) faults.push(`HLS: ${file} has changed`);
      segments.set(file, text);
      for (const { ts, endTs, text } of cues) segmentCues.set(`${ts} ${endTs} ${text}`, text);
    }
  } catch (error) {
    faults.push(`HLS: ${error}`);
  }
}

/** Compares the words of a text with those that were wanted. */
export function compare(wanted: readonly string[], text: readonly string[]) {
  const { substitutions, deletions, insertions } = scoreWords(wanted, text);
  return { words: text.length, missing: deletions, added: insertions, changed: substitutions };
}

/** Returns the words of each file at the end. */
export async function wordsOfFiles(places: CaptionerPlaces) {
  const read = TRANSCRIPT_ENDINGS.map(async ending => {
    const content = await readFile(transcriptPath(places, ending), 'utf8');
    return [ending, wordsIn(await transcriptFileText(ending, content))] as const;
  });
  return Promise.all(read);
}

/** Returns the cassettes that can be read, and the words of their finals. */
export async function readCassettes({ directory }: CaptionerPlaces, { faults }: Findings): Promise<number> {
  const folder = join(directory, 'cassettes');
  const names = (await readdir(folder)).filter(name => name.endsWith('.jsonl'));
  for (const name of names)
    await readCassette(join(folder, name)).catch(error => faults.push(`${name}: ${error}`));
  return names.length;
}
