import { catchError, EMPTY, map, mergeMap, Subject, takeUntil, tap } from 'rxjs';
import { withTimeout } from '../../base/wait/withTimeout.ts';
import { FoundLanguages } from '../../engines/foundLanguage.ts';
import type { RecognizerResult, RecognizerSession } from '../../engines/recognizer.ts';
import { encodeMessage } from '../../protocol/messages.ts';
import { encodeTranscript, wireSeconds } from '../../protocol/transcriptJson.ts';
import { emptyLiveTranscript, mergeEvent } from '../../transcript/merge/merge.ts';
import type { TranscriptEvent } from '../../transcript/model/events.ts';
import { discardedJobs, type Jobs } from '../jobs/jobs.ts';
import { createJobWarnings, SHARED_TIMES } from '../tasks/jobWarnings.ts';
import { describeSpan } from '../telemetry/observeStream.ts';
import type { Admission, Admit } from './admission.ts';
import { recognizerAudio } from './audioInput.ts';
import type { BacklogShare } from './backlog.ts';
import type { ClientSocket } from './connection.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';
import { feedRecognizer, type ResultsProgress } from './feedRecognizer.ts';
import { type FollowedSession, followSpeakers } from './followSpeakers.ts';
import { createHypotheses } from './hypotheses.ts';
import { FLUSHED_EVENT, type Inbox } from './inbox.ts';
import type { RecognizerQueue } from './recognizerQueue.ts';
import type { StreamingOptions } from './streamingOptions.ts';
import { createTextDelays, type TextDelays } from './textDelays.ts';
import { withoutCutWord } from './withoutCutWord.ts';

/** Dependencies of a session. */
export interface SessionContext extends StreamingOptions {
  readonly admit: Admit;
  readonly recognizers: RecognizerQueue;
  readonly backlogOf: (accountId: string) => BacklogShare;
}

export interface RunningSession {
  readonly id: string;
  readonly requestId: string;
  readonly socket: ClientSocket;
  readonly inbox: Inbox;
  readonly admission: Admission;
  readonly recognizer: RecognizerSession;
  readonly decision: EndingDecision;
  readonly context: SessionContext;
}

/** Serves a session from `connected` to its last final. Its ending is decided on return; only the close remains. */
export async function runSession(session: RunningSession): Promise<void> {
  const { id, requestId, inbox, admission, recognizer, decision, context } = session;
  const { limits, clock } = context;
  const { sampleRate } = context.recognizer.capabilities;
  const logger = context.logger.child({ stream: id, account: admission.accountId });
  const onError = (error: unknown) => logger.warn({ err: error }, 'stream fault');
  const job = startSessionJob(context.jobs, { id, requestId }, admission);
  describeSpan({ 'rxscribe.stream.id': id, 'rxscribe.account.id': admission.accountId });
  send(session, job, { type: 'connected', id });
  logger.info('stream started');
  const { ignored } = admission;
  if (ignored.length > 0) logger.info({ ignored }, 'stream options without effect');
  const cancelLimit = clock.schedule(limits.sessionMs, () => decision.decide(ENDINGS.sessionLimit));
  await using followed = withSpeakers(session, onError);
  const delays = createTextDelays(sampleRate, clock, context.instruments);
  const results = followResults(session, job, { followed, onError, delays });
  const flush = async () => {
    const flushed = recognizer.flush().then(results.reported);
    await withTimeout(flushed, { clock, timeoutMs: limits.stallMs, signal: decision.stopped });
    session.socket.emit(FLUSHED_EVENT);
  };
  const audio = recognizerAudio(inbox.messages(flush), admission.query.contentType, {
    sampleRate,
    sliceBytes: limits.sliceBytes,
    signal: decision.stopped,
    onWarning(warning) {
      job.warn(warning);
      logger.info({ warning: warning.message }, 'stream audio');
    },
  });
  const seconds = await feedRecognizer(audio, {
    recognizer: followed?.recognizer ?? recognizer,
    results,
    meter: admission.meter,
    sampleRate,
    decision,
    clock,
    stallMs: limits.stallMs,
    onError,
    onAudio: frames => {
      results.written(frames);
      delays.written(frames, inbox.takenMs);
    },
  });
  cancelLimit();
  results.stop();
  const ending = decision.ending ?? ENDINGS.internalError;
  job.end(ending, seconds);
  describeSpan({ 'rxscribe.stream.seconds': wireSeconds(seconds) });
  logger.info(
    { seconds: wireSeconds(seconds), code: ending.rule?.code, reason: ending.rule?.reason },
    'stream ended',
  );
}

/** Passes the audio to the diarizer too, when there is one and the client wants speakers. */
function withSpeakers(
  { recognizer, admission, decision, context }: RunningSession,
  onError: (error: unknown) => void,
): FollowedSession | undefined {
  const { diarizer, clock } = context;
  if (!diarizer || !admission.query.enableSpeakerSwitch) return undefined;
  const { sampleRate } = context.recognizer.capabilities;
  return followSpeakers(recognizer, diarizer, { sampleRate, signal: decision.stopped, onError, clock });
}

interface FollowedResults extends ResultsProgress {
  /** Call with the number of frames before they are written to the recogniser. */
  written(frames: number): void;
  /** Resolves when the results so far are reported. */
  reported(): Promise<unknown>;
  /** Sends no further results. */
  stop(): void;
}

interface FollowOptions {
  readonly followed?: FollowedSession;
  readonly onError: (error: unknown) => void;
  readonly delays: TextDelays;
}

/** Sends the results of the recogniser to the client as they arrive, and after them those that the ending allows. */
function followResults(
  session: RunningSession,
  job: SessionJob,
  { followed, onError, delays }: FollowOptions,
): FollowedResults {
  const { recognizer, inbox, admission, decision, context } = session;
  const { query, phrases } = admission;
  const { sampleRate } = context.recognizer.capabilities;
  const hypotheses = createHypotheses(query, sampleRate, {
    phrases,
    language: query.language,
    punctuator: context.punctuator,
    signal: decision.stopped,
    speakerDuring: followed?.speakerDuring,
    onError,
    clock: context.clock,
  });
  const pauses = endAtPause(decision, inbox);
  const stopped = new Subject<void>();
  let writtenFrames = 0;
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const end = recognizer.results$
    .pipe(
      // The results before a failure are sent first.
      catchError(error => {
        failure = { error };
        return EMPTY;
      }),
      map(result =>
        decision.ending?.sends === 'uncut' ? withoutCutWord(result, writtenFrames, sampleRate) : result,
      ),
      tap(pauses.received),
      // Events come in the order of the results.
      mergeMap(result => {
        const reported = hypotheses.next(result).then(event => ({ result, event }));
        last = reported;
        return reported;
      }),
      takeUntil(stopped),
    )
    .forEach(({ result, event }) => {
      count++;
      job.note(result);
      if (event) {
        send(session, job, event);
        delays.sent(result);
      }
      pauses.reported(result);
    })
    .then(() => {
      if (failure) throw failure.error;
    });
  end.catch(error => {
    if (!decision.ending) onError(error);
    decision.decide(ENDINGS.failed);
  });
  return {
    end,
    written: frames => {
      writtenFrames += frames;
    },
    reportedCount: () => count,
    reported: () => last,
    stop: () => stopped.next(),
  };
}

/**
 * Adds an event to the job, and sends it unless the session ends without sending more. A client that does not read loses
 * partials, whose words are sent again later.
 */
function send({ socket, decision, context }: RunningSession, job: SessionJob, event: TranscriptEvent): void {
  job.add(event);
  if (decision.ending && !decision.ending.sends) return;
  if (event.type === 'partial' && socket.bufferedAmount > context.limits.unsentBytes) return;
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(encodeMessage(event)));
}

/** The job of a session, of type `stream`. */
type SessionJob = ReturnType<typeof startSessionJob>;

/** Starts the job of a session. Nothing is stored when the client wants it deleted at once. */
function startSessionJob(
  jobs: Jobs,
  ids: { readonly id: string; readonly requestId: string },
  { accountId, query }: Admission,
) {
  const { metadata, language, deleteAfterSeconds } = query;
  const isKept = deleteAfterSeconds !== 0;
  const sessionJobs = isKept ? jobs : discardedJobs;
  const job = sessionJobs.start({
    ...ids,
    accountId,
    type: 'stream',
    language,
    metadata,
    deleteAfterSeconds,
  });
  const { onWarning, findings } = createJobWarnings();
  const languages = new FoundLanguages();
  let live = emptyLiveTranscript;
  return {
    /** Adds a warning about the audio of the client. */
    warn: onWarning,
    /** Notes the language and the times of a result. */
    note(result: RecognizerResult): void {
      languages.add(result);
      if (result.hasSharedTimes) onWarning(SHARED_TIMES);
    },
    /** Adds an event; only finals are stored. */
    add(event: TranscriptEvent): void {
      if (isKept && event.type === 'final') live = mergeEvent(live, event);
    },
    end({ failure }: Ending, seconds: number): void {
      const durationSeconds = wireSeconds(seconds);
      if (failure) job.end({ status: 'failed', durationSeconds, findings: findings(), ...failure });
      else {
        const transcript = JSON.stringify(encodeTranscript(live.transcript));
        const language = languages.main;
        job.end({ status: 'done', durationSeconds, language, findings: findings() }, { transcript });
      }
    },
  };
}

/**
 * Makes a drain end the session at its next pause, or at once during a pause, when its client has the final of all recognised
 * words. A client that connects elsewhere then sends its audio from the end of the last final on, which lies between two words.
 *
 * A session whose client has ended its audio continues to its own end.
 */
function endAtPause(decision: EndingDecision, inbox: Pick<Inbox, 'hasEnded'>) {
  let isDraining = false;
  let hasWords = false;
  let waitingFinals = 0;
  const check = () => {
    if (isDraining && !hasWords && waitingFinals === 0 && !inbox.hasEnded) {
      decision.decide(ENDINGS.shuttingDown);
    }
  };
  decision.onDrain(() => {
    isDraining = true;
    check();
  });
  return {
    /** Call for each result of the recogniser. */
    received({ type }: RecognizerResult): void {
      if (type === 'final') waitingFinals++;
    },
    /** Call when the event of a result is sent. */
    reported({ type, words }: RecognizerResult): void {
      if (type === 'final') waitingFinals--;
      hasWords = type === 'partial' && words.length > 0;
      check();
    },
  };
}
