import type { Observable } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { createGate, type Gate } from '../../flow/gate.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { cassetteDifferences } from '../cassette/cassetteDifferences.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { mismatchLines } from '../play/match/mismatch.ts';
import type { CassetteServer } from '../play/server/playServer.ts';
import { type PlaySourceOptions, playSource } from '../play/source/playSource.ts';
import { fileAudio } from '../session/fileAudio.ts';
import { observeSession, type Transcriber } from '../session/observeSession.ts';
import { inputKind } from '../suite/read/discover.ts';
import { kindOf, type ReferenceFile, type ReferenceValue, withReference } from './matcherInput.ts';
import { type Verdict, verdict } from './verdict.ts';
import { checkedMatch, type MatchOptions, matchVerdict } from './wordMatchers.ts';

/** What is streamed how, and what has to come of it. */
export interface TranscribeExpectation extends MatchOptions {
  /** What is said in it. */
  readonly as: ReferenceValue | ReferenceFile;
  /** Seconds of audio in a second. Default `max`. */
  readonly speed?: number | 'max';
  /** The gate that the process under test holds, for a source that can wait. */
  readonly gate?: Gate;
  /** That a cassette's audio waits for, as {@link playSource} has it; a file waits for none. */
  readonly server?: PlaySourceOptions['server'];
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/**
 * Streams audio through a process, for real, and compares what comes of it; files are brought to 16 kHz mono before.
 *
 * @param audio path of an audio file or of a cassette or a cassette that has been read
 * @throws what the stream fails with, behind `.not` as well: nothing is known of what it would have heard
 * @throws InvalidArgumentError for a `server` that a file cannot wait for
 */
export async function toTranscribe(
  received: unknown,
  audio: string | Cassette,
  { as, speed = 'max', gate = createGate(), server, clock, ...match }: TranscribeExpectation,
): Promise<Verdict> {
  if (typeof received !== 'function') {
    throw new InvalidArgumentError(
      `toTranscribe: wanted transcribe(...) or a function from audio to events, found ${kindOf(received)}`,
    );
  }
  checkedMatch(match, 'toTranscribe');
  const source$ = await audioOf(audio, { speed, gate, server, clock });
  const run = await observeSession(source$, received as Transcriber, { speed, clock });
  if (run.failure !== undefined) throw run.failure;
  return withReference(as, 'toTranscribe', said => matchVerdict(run.transcript, said, match));
}

type Pacing = Pick<PlaySourceOptions, 'server' | 'clock'> &
  Required<Pick<PlaySourceOptions, 'speed' | 'gate'>>;

async function audioOf(audio: string | Cassette, pacing: Pacing): Promise<Observable<AudioBlock>> {
  if (typeof audio !== 'string') return playSource(audio, pacing);
  if ((await inputKind(audio)) === 'cassette') return playSource(await readCassette(audio), pacing);
  if (pacing.server) {
    throw new InvalidArgumentError('toTranscribe: wanted a cassette to go with server, found an audio file');
  }
  return fileAudio(audio, pacing);
}

/**
 * Whether a service that plays a cassette was sent what was recorded, of which nothing is missing; or whether a recording
 * has the session of another cassette, whenever it was.
 */
export function toMatchCassette(received: unknown, cassette?: Cassette): Verdict {
  const differences = differencesOf(received, cassette);
  const { length } = differences;
  return verdict({
    pass: length === 0,
    subject: 'the session',
    claim: 'match the cassette',
    found: `there ${length === 1 ? 'is' : 'are'} ${counted(length, 'difference')}`,
    details: () => differences.join('\n'),
  });
}

function differencesOf(received: unknown, cassette: Cassette | undefined): readonly string[] {
  if (isServer(received)) return mismatchLines(received);
  if (isCassette(received) && isCassette(cassette)) return cassetteDifferences(cassette, received);
  throw new InvalidArgumentError(
    `toMatchCassette: wanted a service that plays a cassette, or two cassettes, found ${kindOf(received)}` +
      (isCassette(received) ? ` and ${kindOf(cassette)}` : ''),
  );
}

function isServer(value: unknown): value is Pick<CassetteServer, 'check'> {
  return typeof value === 'object' && value !== null && 'mismatches' in value && 'check' in value;
}

function isCassette(value: unknown): value is Cassette {
  return typeof value === 'object' && value !== null && 'header' in value && 'lines' in value;
}
