import { type Observable, Subject, tap } from 'rxjs';
import { type AudioBlock, framesOf } from '../../../audio/format/format.ts';
import type { Clock } from '../../../base/clock.ts';
import { seeded } from '../../../base/seeded.ts';
import type { QueryChange, TranscribeOptions } from '../../../client/stream/options.ts';
import { transcribe } from '../../../client/stream/transcribe.ts';
import { languageOf } from '../../../protocol/language.ts';
import { parseStreamQuery, type StreamQuery } from '../../../protocol/streamQuery.ts';
import type { Cassette } from '../../cassette/cassette.ts';
import { unusedFaults } from '../../play/faults/connectionFaults.ts';
import { mismatchLines } from '../../play/match/mismatch.ts';
import { playServer } from '../../play/server/playServer.ts';
import { playSource } from '../../play/source/playSource.ts';
import { startProxy } from '../../proxy/startProxy.ts';
import { fileAudio } from '../../session/fileAudio.ts';
import { observeSession } from '../../session/observeSession.ts';
import type { SessionRun } from '../../session/sessionRun.ts';
import { inVirtualTime } from '../../time/inVirtualTime.ts';
import type { Suite, SuiteCase, SuiteService } from '../suite.ts';

/** The result of a case. */
interface StreamedCase {
  readonly run: SessionRun;
  /** Differences between the sent and the recorded session. */
  readonly mismatches: readonly string[];
}

export interface StreamCaseOptions {
  readonly service?: SuiteService;
  /** Cassette of the input, if it is one. */
  readonly cassette?: Cassette;
  readonly suite: Pick<Suite, 'seed'>;
  readonly signal?: AbortSignal;
  /** Called with the seconds of audio since the last call. */
  readonly onAudio?: (seconds: number) => void;
  /** Called for damaged audio. */
  readonly onWarning?: (message: string) => void;
}

/** Seconds for which a service may be unreachable during a stream, which can be repeated. */
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
    return toService(suiteCase, options, fileAudio(input.path, { speed, onWarning }));
  }
  if (suiteCase.service === 'cassette') return toCassette(suiteCase, options, cassette);
  const recorded = recordedOptions(cassette);
  const source = changing(playSource(cassette, { speed }), cassette, suiteCase);
  return toService(suiteCase, options, source.source$, { ...recorded, query$: source.query$ });
}

async function toService(
  suiteCase: SuiteCase,
  { service, suite: { seed }, signal, onAudio }: StreamCaseOptions,
  source$: Observable<AudioBlock>,
  recorded: RecordedOptions = {},
): Promise<StreamedCase> {
  const { url, token } = service!;
  const { speed, faults } = suiteCase;
  const asked = { ...recorded, ...askedOf(suiteCase) };
  await using proxy = faults.length > 0 ? await startProxy({ url, faults, seed }) : undefined;
  const live = transcribe({
    ...asked,
    url: proxy?.url ?? url,
    token,
    resume: { giveUpAfterSeconds: GIVE_UP_AFTER_SECONDS },
  });
  const run = await observeSession(source$.pipe(countSeconds(onAudio)), live, {
    speed,
    signal,
    startTs: asked.startTs,
  });
  return { run, mismatches: proxy ? unusedFaults(proxy) : [] };
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
  // An intended change of the options is not a mismatch.
  const match = { query: Object.keys(own).length === 0 };
  const stream = async (clock: Clock) => {
    await using server = await playServer(cassette, { clock, latency, faults, seed, match });
    const { url, token } = server;
    // Random backoff would make every run different.
    const played$ = playSource(cassette, { speed, clock, server }).pipe(countSeconds(onAudio));
    const { source$, query$ } = changing(played$, cassette, suiteCase);
    const live = transcribe({ ...asked, query$, url, token, clock, resume: { random: seeded(seed) } });
    const run = await observeSession(source$, live, { speed, clock, signal, startTs: asked.startTs });
    return { run, mismatches: [...mismatchLines(server), ...unusedFaults(server)] };
  };
  return inVirtualTime(stream, { signal });
}

function askedOf({ language, query }: SuiteCase): Partial<TranscribeOptions> {
  return { ...(language !== undefined && { language: languageOf(language) }), ...query };
}

function countSeconds(onAudio: (seconds: number) => void = () => {}) {
  return tap<AudioBlock>(block => onAudio(framesOf(block) / block.sampleRate));
}

/** Repeats the recorded changes of the query, except for values that the case sets, before the blocks that they preceded. */
function changing(source$: Observable<AudioBlock>, { lines }: Cassette, suiteCase: SuiteCase) {
  const query$ = new Subject<QueryChange>();
  const changes = lines.filter(line => line.type === 'query');
  let next = 0;
  const changed$ = source$.pipe(
    tap(({ startFrame }) => {
      for (; (changes[next]?.frame ?? Number.POSITIVE_INFINITY) <= startFrame; next++) {
        const { contentType: _, ...query } = parseStreamQuery(new URLSearchParams(changes[next]?.query));
        query$.next({ ...query, ...askedOf(suiteCase) });
      }
    }),
  );
  return { source$: changed$, query$ };
}

/** Options of a recorded stream. */
export type RecordedOptions = Omit<StreamQuery, 'contentType'> &
  Pick<TranscribeOptions, 'sampleFormat' | 'query$'>;

/** Returns the options with which a cassette was recorded; none when they are unknown. */
export function recordedOptions({ lines }: Pick<Cassette, 'lines'>): RecordedOptions {
  const connect = lines.find(line => line.type === 'connect');
  if (!connect?.query.content_type) return {};
  const { contentType, ...query } = parseStreamQuery(new URLSearchParams(connect.query));
  return { ...query, sampleFormat: contentType.kind === 'raw' ? contentType.format.sampleFormat : undefined };
}
