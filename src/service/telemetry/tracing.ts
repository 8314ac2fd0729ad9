import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import packageJson from 'rxscribe/package.json' with { type: 'json' };
import { defined } from '../../base/defined.ts';
import { RxscribeError } from '../../base/errors.ts';
import { SCOPE } from './createInstruments.ts';

/** The request that caused later work, such as a job or the delivery of its notification. */
export interface Origin {
  readonly requestId?: string;
  /** The span of the request, as of the W3C Trace Context; absent when no traces are collected. */
  readonly traceparent?: string;
}

export interface SpanSettings {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Default: the active context. */
  readonly parent?: Context;
}

/** Starts a span. The caller ends it. */
function startSpan(name: string, { kind, attributes = {}, parent }: SpanSettings = {}): Span {
  const tracer = trace.getTracer(SCOPE, packageJson.version);
  return tracer.startSpan(name, { kind, attributes: defined(attributes) }, parent ?? context.active());
}

/** The facts about a request from which its span is made. */
export interface SpanRequest {
  readonly method: string;
  /** Template of the route, if any. */
  readonly route: string | undefined;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Starts the span of a request. A span that an instrumentation of the operator has started for the request, or that of its
 * client, is the parent. The caller ends it.
 *
 * @returns the span, and the context for work caused by the request
 */
export function startServerSpan(
  { method, route, requestId, headers }: SpanRequest,
  attributes: Attributes = {},
): { readonly span: Span; readonly spanContext: Context } {
  const active = context.active();
  const parent = trace.getSpan(active) ? active : propagation.extract(active, headers);
  const span = startSpan(route === undefined ? method : `${method} ${route}`, {
    kind: SpanKind.SERVER,
    parent,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'rxscribe.request.id': requestId,
      ...attributes,
    },
  });
  return { span, spanContext: trace.setSpan(parent, span) };
}

/** Runs something within a span, which ends with it. */
export async function inSpan<T>(
  name: string,
  settings: SpanSettings,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, settings);
  try {
    return await context.with(trace.setSpan(settings.parent ?? context.active(), span), () => run(span));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Marks a span as failed, by the code of the error, or a code, only: messages may contain addresses. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', typeOf(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function typeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof RxscribeError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Returns the active span as of the W3C Trace Context, for work that continues elsewhere; undefined without one. */
export function activeTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags & TraceFlags.SAMPLED}`;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/;

/** Returns the context of work that an earlier span has caused; without one, a context without a span. */
export function contextAfter({ traceparent = '' }: Origin): Context {
  const [, traceId, spanId, sampled] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = sampled === '1' ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
