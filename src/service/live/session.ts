import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { settledWithin } from '../../base/wait/withTimeout.ts';
import { closeReason } from '../../protocol/closeCodes.ts';
import { CONNECTION_WAIT_SECONDS } from '../../protocol/limits.ts';
import { type Admission, type Applicant, watchToken } from './admission.ts';
import type { ClientConnection, ClientSocket } from './connection.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';
import { createInbox } from './inbox.ts';
import { runSession, type SessionContext } from './runSession.ts';

/** A client after its handshake. */
export interface Client {
  readonly socket: ClientSocket;
  /** The connection below the socket. */
  readonly connection: ClientConnection;
  readonly applicant: Applicant;
  readonly requestId: string;
}

/** Milliseconds for a refused client to answer the close; it gets nothing else to read. */
const REFUSAL_TIMEOUT_MS = 1000;

/**
 * Serves one connection from its handshake until its socket is closed: admission, a free recogniser, the session, the
 * close. Never rejects.
 */
export async function serveSession(
  client: Client,
  decision: EndingDecision,
  context: SessionContext,
): Promise<void> {
  const { socket, connection } = client;
  const { clock, logger } = context;
  const closed = new Promise<void>(resolve => socket.once('close', resolve));
  socket.once('close', () => decision.decide(ENDINGS.gone));
  // The close that follows reports a broken connection or frame.
  socket.on('error', () => decision.decide(ENDINGS.gone));
  const stopHeartbeat = startHeartbeat(socket, connection, context);
  try {
    await admitAndRun(client, decision, context);
  } catch (error) {
    // Errors that follow the decided ending are expected.
    if (!decision.ending) logger.error({ err: error }, 'stream failed');
    decision.decide(isUnavailable(error) ? ENDINGS.noInstance : ENDINGS.internalError);
  }
  decision.stop();
  const { rule, why }: Ending = decision.ending ?? ENDINGS.internalError;
  if (rule) socket.close(rule.code, closeReason(rule, why));
  const cancel = connection.wasOpened
    ? () => {}
    : clock.schedule(REFUSAL_TIMEOUT_MS, () => connection.destroy());
  connection.discard();
  await closed;
  cancel();
  stopHeartbeat();
}

async function admitAndRun(client: Client, decision: EndingDecision, context: SessionContext): Promise<void> {
  const { applicant } = client;
  const admission = await context.admit(applicant, decision.decided);
  if ('rule' in admission) {
    context.logger.info({ code: admission.rule.code }, 'stream refused');
    return decision.decide({ ...admission, flush: 'none' });
  }
  const stopWatch = watchToken(admission, decision, context);
  try {
    if (!decision.ending) await withRecognizer(client, admission, decision, context);
  } finally {
    stopWatch();
    admission.meter.settle();
    const released = admission.release();
    // The client connects elsewhere at once, where the ended stream must no longer count towards the limit of its account.
    const goesOn = decision.ending?.rule?.retry;
    if (goesOn) await settledWithin(context.limits.closeTimeoutMs, released, context.clock);
  }
}

async function withRecognizer(
  { socket, connection, requestId }: Client,
  admission: Admission,
  decision: EndingDecision,
  context: SessionContext,
): Promise<void> {
  const { query, phrases, accountId } = admission;
  const { limits, clock } = context;
  const id = createId();
  // Nothing is read before the client is admitted.
  const inbox = createInbox(
    { socket, connection },
    {
      ...limits,
      clock,
      keepMessages: query.contentType.kind === 'raw' && query.contentType.layout !== 'interleaved',
      backlog: context.backlogOf(accountId),
      decision,
    },
  );
  const waitSeconds = query.maxConnectionWaitSeconds ?? CONNECTION_WAIT_SECONDS.default;
  await using recognizer = await context.recognizers.acquire(
    {
      language: query.language,
      ...(phrases.length > 0 && { phrases }),
      maxSegmentSeconds: query.maxSegmentDurationSeconds,
      signal: decision.stopped,
    },
    { accountId, waitMs: waitSeconds * 1000, signal: decision.decided },
  );
  if (!recognizer) {
    context.logger.info({ code: ENDINGS.noInstance.rule.code, account: accountId }, 'stream refused');
    return decision.decide(ENDINGS.noInstance);
  }
  if (decision.ending) return;
  await runSession({ id, requestId, socket, inbox, admission, recognizer, decision, context });
}

/** Returns whether the store cannot be reached: another instance may do better. */
function isUnavailable(error: unknown): boolean {
  return error instanceof RxscribeError && (error.code === 'store' || error.code === 'timeout');
}

/** Pings that may stay unanswered. A single ping may have arrived while the socket was paused. */
const MAX_UNANSWERED_PINGS = 2;

/** Drops a peer that sent nothing after several pings. Returns a function that stops the pings. */
function startHeartbeat(
  socket: ClientSocket,
  connection: Pick<ClientConnection, 'isHeld' | 'bytesRead'>,
  { limits, clock }: SessionContext,
): () => void {
  let unanswered = 0;
  let seenBytes = connection.bytesRead;
  let cancel = schedule();
  function schedule(): () => void {
    return clock.schedule(limits.heartbeatMs, beat);
  }
  function beat(): void {
    // Answers on a paused connection cannot be seen.
    if (connection.isHeld || connection.bytesRead > seenBytes) unanswered = 0;
    seenBytes = connection.bytesRead;
    if (unanswered === MAX_UNANSWERED_PINGS) {
      socket.terminate();
      return;
    }
    unanswered++;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = schedule();
  }
  return () => cancel();
}
