import type { IncomingMessage } from 'node:http';
import { context, type Span, trace } from '@opentelemetry/api';
import type { Instruments } from './createInstruments.ts';
import { startServerSpan } from './tracing.ts';

/** Close code for a client that has gone, as of RFC 6455, section 7.1.5. */
const GONE = 1006;

export interface StreamObservation {
  readonly request: Pick<IncomingMessage, 'headers'>;
  readonly requestId: string;
  /** Template of the route. */
  readonly route: string;
  readonly instruments: Instruments;
  /** Returns the close code that was sent, if any; called at the end. */
  readonly code: () => number | undefined;
}

/** Records the span of a stream, from its handshake to its close, and counts its end. */
export function observeStream(observation: StreamObservation, serve: () => Promise<void>): Promise<void> {
  const { request, requestId, route, instruments, code } = observation;
  const { span, spanContext } = startServerSpan(
    { method: 'GET', route, requestId, headers: request.headers },
    { 'http.response.status_code': 101 },
  );
  const served = context.with(spanContext, serve);
  return served.finally(() => {
    const closeCode = code() ?? GONE;
    instruments.add('streamsEnded', 1, { code: closeCode });
    span.setAttribute('rxscribe.stream.close_code', closeCode);
    span.end();
  });
}

/** Adds facts about the current stream, or job, to its span. */
export function describeSpan(attributes: Parameters<Span['setAttributes']>[0]): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}
