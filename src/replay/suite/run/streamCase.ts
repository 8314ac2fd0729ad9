import { type Observable, tap } from 'rxjs';
import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import type { Clock } from '../../../base/clock.ts';
import { seeded } from '../../../base/seeded.ts';
import type { TranscribeOptions } from '../../../client/stream/options.ts';
import { transcribe } from '../../../client/stream/transcribe.ts';
import { createGate, type Gate } from '../../../flow/gate.ts';
import { languageOf } from '../../../protocol/language.ts';
import { parseStreamQuery, type StreamQuery } from '../../../protocol/streamQuery.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { mismatchLines } from '../../play/match/mismatch.ts';
import { playServer } from '../../play/server/playServer.ts';
import { playSource } from '../../play/source/playSource.ts';
import { fileAudio } from '../../session/fileAudio.ts';
import { observeSession } from '../../session/observeSession.ts';
import type { SessionRun } from '../../session/sessionRun.ts';
import { inVirtualTime } from '../../time/inVirtualTime.ts';
import type { Suite, SuiteCase, SuiteService } from '../suite.ts';

/** What came of a case. */
interface StreamedCase {
  readonly run: SessionRun;
  /** Where a cassette's answers did not fit what was sent. */
  readonly mismatches: readonly string[];
}

export interface StreamCaseOptions {
  readonly service?: SuiteService;
  /** Of the input, where it is one. */
  readonly cassette?: Cassette;
  readonly suite: Pick<Suite, 'seed'>;
  readonly signal?: AbortSignal;
  /** Seconds of audio that came since the last call. */
  readonly onAudio?: (seconds: number) => void;
  /** Of audio that is damaged. */
  readonly onWarning?: (message: string) => void;
}

/** How long a service may be away in the middle of a recording, in seconds: that can be streamed again. */
const GIVE_UP_AFTER_SECONDS = 120;

/**
 * Streams a case once.
 *
 * @throws the signal's reason
 */
export function streamCase(suiteCase: SuiteCase, options: StreamCaseOptions): Promise<StreamedCase> {
  const { cassette } = options;
  const { speed, input } = suiteCase;
  if (!cassette) {
    const onWarning = ({ message }: { readonly message: string }) => options.onWarning?.(message);
    return toService(suiteCase, options, gate => fileAudio(input.path, { speed, gate, onWarning }));
  }
  if (suiteCase.service === 'cassette') return toCassette(suiteCase, options, cassette);
  const recorded = recordedOptions(cassette);
  return toService(suiteCase, options, gate => playSource(cassette, { speed, gate }), recorded);
}

async function toService(
  suiteCase: SuiteCase,
  { service, signal, onAudio }: StreamCaseOptions,
  source: (gate: Gate) => Observable<AudioBlock>,
  recorded: RecordedOptions = {},
): Promise<StreamedCase> {
  const gate = createGate();
  const { url, token } = service!;
  const { speed } = suiteCase;
  const asked = { ...recorded, ...askedOf(suiteCase) };
  const live = transcribe({
    ...asked,
    ...{ url, token, resume: { giveUpAfterSeconds: GIVE_UP_AFTER_SECONDS } },
    // Who speaks does not wait for a service that is late: then nothing would be.
    ...(speed === 'max' && { gate }),
  });
  const run = await observeSession(source(gate).pipe(tellingSeconds(onAudio)), live, {
    ...{ speed, signal, startTs: asked.startTs },
  });
  return { run, mismatches: [] };
}

async function toCassette(
  suiteCase: SuiteCase,
  { suite: { seed }, signal, onAudio }: StreamCaseOptions,
  cassette: Cassette,
): Promise<StreamedCase> {
  const { speed, faults } = suiteCase;
  const own = askedOf(suiteCase);
  const asked = { ...recordedOptions(cassette), ...own };
  const latency = speed === 'max' ? 'none' : 'recorded';
  // Who asks for something else on purpose is not told so.
  const match = { query: Object.keys(own).length === 0 };
  const stream = async (clock: Clock) => {
    await using server = await playServer(cassette, { clock, latency, faults, seed, match });
    const { url, token } = server;
    // With random waits, no two runs were the same.
    const live = transcribe({ ...asked, url, token, clock, resume: { random: seeded(seed) } });
    const source$ = playSource(cassette, { speed, clock, server }).pipe(tellingSeconds(onAudio));
    const run = await observeSession(source$, live, { speed, clock, signal, startTs: asked.startTs });
    return { run, mismatches: mismatchLines(server) };
  };
  return inVirtualTime(stream, { signal });
}

function askedOf({ language, query }: SuiteCase): Partial<TranscribeOptions> {
  return { ...(language !== undefined && { language: languageOf(language) }), ...query };
}

function tellingSeconds(onAudio: (seconds: number) => void = () => {}) {
  return tap<AudioBlock>(block => onAudio(framesOf(block) / block.sampleRate));
}

/** What a stream is asked for. */
export type RecordedOptions = Omit<StreamQuery, 'contentType'> & Pick<TranscribeOptions, 'sampleFormat'>;

/** What the service was asked for when a cassette was recorded; nothing where it never was, or in ways unknown. */
export function recordedOptions({ lines }: Pick<Cassette, 'lines'>): RecordedOptions {
  const connect = lines.find(line => line.type === 'connect');
  if (!connect?.query.content_type) return {};
  const { contentType, ...query } = parseStreamQuery(new URLSearchParams(connect.query));
  return { ...query, ...(contentType.kind === 'raw' && { sampleFormat: contentType.format.sampleFormat }) };
}
