import type { Observable } from 'rxjs';
import type { AudioBlock } from '../../audio/format/format.ts';
import type { Clock } from '../../base/clock.ts';
import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { readCassette } from '../cassette/read/readCassette.ts';
import { mismatchLines } from '../play/match/mismatch.ts';
import type { CassetteServer } from '../play/server/playServer.ts';
import { type PlaySourceOptions, playSource } from '../play/source/playSource.ts';
import { fileAudio } from '../session/fileAudio.ts';
import { observeSession, type Transcriber } from '../session/observeSession.ts';
import { inputKind } from '../suite/read/discover.ts';
import {
  kindOf,
  type ReferenceFile,
  type ReferenceValue,
  type Verdict,
  verdict,
  withReference,
} from './matcherInput.ts';
import { checkedMatch, type MatchOptions, matchVerdict } from './wordMatchers.ts';

/** The expected text of a stream, and how to stream it. */
export interface TranscribeExpectation extends MatchOptions {
  /** Reference of the audio. */
  readonly as: ReferenceValue | ReferenceFile;
  /** Speed in seconds of audio per second. Default `max`. */
  readonly speed?: number | 'max';
  /** Service that the audio of a cassette waits for, as in {@link playSource}; a file waits for none. */
  readonly server?: PlaySourceOptions['server'];
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Streams audio through an operator and compares the result with a reference; files are converted to 16 kHz mono.
 *
 * @param audio path of an audio file or a cassette, or a cassette that has been read
 * @throws the failure of the stream, even with `.not`, because its result is unknown
 * @throws InvalidArgumentError for a `server` with a file, which cannot wait for it
 */
export async function toTranscribe(
  received: unknown,
  audio: string | Cassette,
  { as, speed = 'max', server, clock, ...match }: TranscribeExpectation,
): Promise<Verdict> {
  if (typeof received !== 'function') {
    throw new InvalidArgumentError(
      `toTranscribe() requires transcribe(...) or an operator from audio to events, not ${kindOf(received)}.`,
    );
  }
  checkedMatch(match, 'toTranscribe');
  const source$ = await audioOf(audio, { speed, server, clock });
  const run = await observeSession(source$, received as Transcriber, { speed, clock });
  if (run.failure !== undefined) throw run.failure;
  return withReference(as, 'toTranscribe', said => matchVerdict(run.transcript, said, match));
}

type Pacing = Pick<PlaySourceOptions, 'server' | 'clock'> & Required<Pick<PlaySourceOptions, 'speed'>>;

async function audioOf(audio: string | Cassette, pacing: Pacing): Promise<Observable<AudioBlock>> {
  if (typeof audio !== 'string') return playSource(audio, pacing);
  if ((await inputKind(audio)) === 'cassette') return playSource(await readCassette(audio), pacing);
  if (pacing.server) {
    throw new InvalidArgumentError(
      "Option 'server' of toTranscribe() requires a cassette, not an audio file.",
    );
  }
  return fileAudio(audio, pacing);
}

/** Checks that clients of a playing service sent everything that was recorded. */
export function toMatchCassette(received: unknown): Verdict {
  if (!isServer(received)) {
    throw new InvalidArgumentError(
      `toMatchCassette() requires a service of playServer(), not ${kindOf(received)}.`,
    );
  }
  const differences = mismatchLines(received);
  const { length } = differences;
  return verdict({
    pass: length === 0,
    subject: 'the session',
    claim: 'match the cassette',
    found: `there ${length === 1 ? 'is' : 'are'} ${counted(length, 'difference')}`,
    details: () => differences.join('\n'),
  });
}

function isServer(value: unknown): value is Pick<CassetteServer, 'check'> {
  return typeof value === 'object' && value !== null && 'mismatches' in value && 'check' in value;
}
