import { lastValueFrom } from 'rxjs';
import { systemClock } from '../../../../src/base/clock.ts';
import { transcribe } from '../../../../src/client/stream/transcribe.ts';
import { mergeTranscript } from '../../../../src/transcript/merge/merge.ts';
import { scenarioSource } from '../../../helpers/scenarioSource.ts';

const SAMPLE_RATE = 16_000;
/** Levels above ring too much when they are resampled. */
const MAX_LEVEL = 250;

/** The end of a stream. */
export interface StreamReport {
  readonly spoken: number;
  /** Words that are missing, of those that were spoken. */
  readonly lost: number;
  /** Words that are there and were not spoken, or twice. */
  readonly added: number;
  readonly reconnections: number;
  readonly error?: string;
}

/** Streams some utterances at real time through a service, and compares the words of the transcript. */
export async function stream(
  url: string,
  token: string,
  { seconds, random }: { readonly seconds: number; readonly random: () => number },
): Promise<StreamReport> {
  const levels = speech(seconds, random);
  const spoken = levels.filter(level => level > 0).map(level => `w${level}`);
  // A stream may begin while nothing answers.
  const live = transcribe({ url, token, resume: { firstConnectionSeconds: 300 } });
  let connections = 0;
  live.status$.subscribe(({ type }) => {
    if (type === 'connected') connections++;
  });
  const source = scenarioSource(
    {
      sampleRate: SAMPLE_RATE,
      channels: 1,
      levels,
      blockFrames: [SAMPLE_RATE / 10],
      speed: 1,
      pauses: [],
      mutes: [],
      muteClock: 'run',
    },
    systemClock,
  );
  try {
    const { transcript } = await lastValueFrom(source.pipe(live, mergeTranscript()));
    const heard = transcript.monologues.flatMap(({ elements }) =>
      elements.filter(({ type }) => type === 'text').map(({ value }) => value.toLowerCase()),
    );
    return { ...difference(spoken, heard), reconnections: connections - 1 };
  } catch (error) {
    return { spoken: spoken.length, lost: 0, added: 0, reconnections: connections - 1, error: String(error) };
  }
}

/** Returns a word or silence for each 100 ms: utterances of 0.5 to 4 s with pauses of 0.4 to 1.5 s. */
function speech(seconds: number, random: () => number): readonly number[] {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const levels: number[] = [];
  let last = 0;
  while (levels.length < seconds * 10) {
    for (let words = between(5, 40); words > 0; words--) {
      // Never the same word twice in a row: a lost one would not be seen.
      last = 1 + ((last + between(0, MAX_LEVEL - 2)) % MAX_LEVEL);
      levels.push(last);
    }
    levels.push(...new Array<number>(between(4, 15)).fill(0));
  }
  return levels;
}

/** Compares two lists of words by their longest common part. */
function difference(spoken: readonly string[], heard: readonly string[]) {
  let row = new Array<number>(heard.length + 1).fill(0);
  for (const word of spoken) {
    const next = [0];
    for (const [at, other] of heard.entries()) {
      next.push(word === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    }
    row = next;
  }
  const common = row.at(-1)!;
  return { spoken: spoken.length, lost: spoken.length - common, added: heard.length - common };
}
