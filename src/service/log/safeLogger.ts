import type { FastifyBaseLogger } from 'fastify';

const METHODS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Names of fields that contain credentials. */
const SECRET_NAME = /^((proxy-)?authorization|(access_?|admin_?)?token|(set-)?cookie|\w*secret|password)$/i;
/** The query of an address, and the value of an authorization header, within a text. */
const QUERY = /\?[^\s"'<>()]+/g;
const CREDENTIALS = /\b(bearer|basic)\s+[^\s"',;]+/gi;

const LEFT_OUT = '[left out]';
const UNREADABLE = 'unreadable log record';
/** Maximum depth of causes that are logged. */
const MAX_DEPTH = 5;

/**
 * Returns a logger without credentials: plugins of the server log all they get, headers included. It passes on texts, numbers,
 * lists of them, and errors with their message, code, stack and cause; other objects are left out, except for the kind of a
 * thrown one. The queries of addresses in texts are cut.
 */
export function safeLogger(logger: FastifyBaseLogger): FastifyBaseLogger {
  const methods = METHODS.map(name => {
    const log = (...values: readonly unknown[]) => {
      const pass = logger[name] as (this: FastifyBaseLogger, ...values: readonly unknown[]) => void;
      try {
        pass.apply(logger, values.map(safeArgument));
      } catch {
        // A getter of a logged object that throws must not make the caller fail.
        pass.call(logger, UNREADABLE);
      }
    };
    return [name, log] as const;
  });
  return {
    ...(Object.fromEntries(methods) as unknown as Pick<FastifyBaseLogger, (typeof METHODS)[number]>),
    get level() {
      return logger.level;
    },
    set level(level) {
      logger.level = level;
    },
    child: (bindings, options) => safeLogger(logger.child(safeRecord(bindings), options)),
  };
}

/** Cleans an argument; the first one may be a record, whose fields come from the caller. */
function safeArgument(value: unknown, index: number): unknown {
  const isRecord = index === 0 && typeof value === 'object' && value !== null && !(value instanceof Error);
  return isRecord ? safeRecord(value) : safeValue(value);
}

function safeRecord(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      SECRET_NAME.test(name) ? LEFT_OUT : name === 'err' ? safeThrown(value) : safeValue(value),
    ]),
  );
}

function safeValue(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (value instanceof Error) return safeError(value);
  if (Array.isArray(value)) return value.map(safeValue);
  if (value instanceof Date || value === null) return value;
  return typeof value === 'object' || typeof value === 'function' ? LEFT_OUT : value;
}

/** Names of classes, SQL states and codes of the system. */
const KIND = /^\w{1,50}$/;

/**
 * Cleans a thrown value. Of values that are no errors, such as plain copies that libraries make of their errors, only the kind
 * is passed on: their texts may quote anything.
 */
function safeThrown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return safeValue(value);
  const { name, stack, code, errno } = value as Readonly<Record<string, unknown>>;
  const type = name ?? /^\w+/.exec(String(stack ?? ''))?.[0];
  const kind = Object.entries({ type, code, errno }).filter(([, part]) => KIND.test(String(part ?? '')));
  return kind.length > 0 ? Object.fromEntries(kind) : LEFT_OUT;
}

function safeText(text: string): string {
  return text.replace(QUERY, '?…').replace(CREDENTIALS, '$1 …');
}

/**
 * A copy of an error, with the name of its class, without properties that libraries attach: a database driver the parameters of
 * a statement, the URL parser the address.
 */
function safeError(error: Error, depth = 0): Error {
  const { code, cause, errors } = error as Error & { readonly code?: unknown; readonly errors?: unknown };
  // Not the prototype of the error: getters of a class, as those of DOMException, throw when they are read on a copy.
  const copy: Error = Object.create(Error.prototype);
  const define = (name: string, value: unknown, enumerable = false) =>
    Object.defineProperty(copy, name, { value, enumerable, configurable: true, writable: true });
  define('constructor', error.constructor);
  define('name', error.name);
  define('message', safeText(String(error.message)));
  define('stack', safeText(String(error.stack ?? error)));
  if (typeof code === 'string' || typeof code === 'number') define('code', code, true);
  const next = (inner: unknown) =>
    !(inner instanceof Error)
      ? safeThrown(inner)
      : depth < MAX_DEPTH
        ? safeError(inner, depth + 1)
        : LEFT_OUT;
  if (cause !== undefined) define('cause', next(cause));
  if (Array.isArray(errors)) define('errors', errors.map(next));
  return copy;
}
