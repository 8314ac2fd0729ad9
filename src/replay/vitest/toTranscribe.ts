import type { Observable } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { createGate, type Gate } from '../../flow/gate.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { readCassette } from '../cassette/readCassette.ts';
import { type PlaySourceOptions, playSource } from '../play/playSource.ts';
import { fileAudio } from '../session/fileAudio.ts';
import { observeSession, type Transcriber } from '../session/observeSession.ts';
import { inputKind } from '../suite/discover.ts';
import { kindOf } from './heard.ts';
import { type ReferenceFile, type ReferenceValue, withReference } from './referenceInput.ts';
import { checkedMatch, type MatchOptions, matchVerdict } from './toMatchTranscript.ts';
import type { Verdict } from './verdict.ts';

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
