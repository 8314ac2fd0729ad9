import type { WebSocket } from 'ws';
import { RxscribeError } from '../../base/errors.ts';
import { createId } from '../../base/ids.ts';
import { closeReason } from '../../protocol/closeCodes.ts';
import { CONNECTION_WAIT_SECONDS } from '../../protocol/limits.ts';
import type { Admission, Applicant } from './admission.ts';
import type { SessionContext } from './context.ts';
import { converse } from './conversation.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createInbox, type Inbox } from './inbox.ts';

/**
 * One connection, from after its handshake until its socket is closed: admission, a free recogniser, the conversation,
 * the close. Never rejects.
 */
export async function serveSession(
  socket: WebSocket,
  applicant: Applicant,
  decision: EndingDecision,
  context: SessionContext,
): Promise<void> {
  const { limits, clock, logger } = context;
  const closed = new Promise<void>(resolve => socket.once('close', resolve));
  socket.once('close', () => decision.decide(ENDINGS.gone));
  // A broken connection or frame; the close that follows says all there is to say.
  socket.on('error', () => {});
  const inbox = createInbox(socket, {
    ...limits,
    clock,
    onIdle: () => decision.decide(ENDINGS.idle),
    onUnexpectedText: () => decision.decide(ENDINGS.unexpectedText),
  });
  decision.decided.addEventListener('abort', () => inbox.close(), { once: true });
  const stopHeartbeat = startHeartbeat(socket, { ...limits, clock });
  try {
    await admitAndConverse({ socket, inbox, applicant, decision, context });
  } catch (error) {
    // What gave up because the end was decided has nothing to report.
    if (!decision.ending) logger.error({ err: error }, 'stream failed');
    decision.decide(isUnavailable(error) ? ENDINGS.noInstance : ENDINGS.internalError);
  }
  const { rule, why }: Ending = decision.ending ?? ENDINGS.internalError;
  if (rule) socket.close(rule.code, closeReason(rule, why));
  await closed;
  stopHeartbeat();
}

interface Connection {
  readonly socket: WebSocket;
  readonly inbox: Inbox;
  readonly applicant: Applicant;
  readonly decision: EndingDecision;
  readonly context: SessionContext;
}

async function admitAndConverse(connection: Connection): Promise<void> {
  const { applicant, decision, context } = connection;
  const admission = await context.admit(applicant, decision.decided);
  if ('rule' in admission) return decision.decide({ ...admission, flush: false });
  try {
    await withRecognizer(connection, admission);
  } finally {
    admission.meter.settle();
    admission.release();
  }
}

async function withRecognizer(connection: Connection, admission: Admission): Promise<void> {
  const { inbox, socket, decision, context } = connection;
  const { query, phrases } = admission;
  const id = createId();
  // Only now: of a client that nobody knows nothing is read.
  inbox.open();
  const waitSeconds = query.maxConnectionWaitSeconds ?? CONNECTION_WAIT_SECONDS.default;
  await using recognizer = await context.recognizers.acquire(
    {
      language: query.language,
      ...(phrases.length > 0 && { phrases }),
      maxSegmentSeconds: query.maxSegmentDurationSeconds,
      signal: decision.stopped,
    },
    { waitMs: waitSeconds * 1000, signal: decision.decided },
  );
  if (!recognizer) return decision.decide(ENDINGS.noInstance);
  if (!decision.ending) await converse({ id, socket, inbox, admission, recognizer, decision, context });
}

/** The store cannot be reached: another instance may do better. */
function isUnavailable(error: unknown): boolean {
  return error instanceof RxscribeError && (error.code === 'store' || error.code === 'timeout');
}
