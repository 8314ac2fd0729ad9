import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Value } from 'typebox/value';
import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, refuseIf } from '../../base/errors.ts';
import { namedOptions } from '../../base/namedOptions.ts';
import { every } from '../../base/wait/every.ts';
import { jsonOf } from '../../transcript/formats/jsonOf.ts';
import { EVENT_STREAM_HEADERS, PAGE_HEADERS, sendPage } from '../../web/pageFiles.ts';
import { readBody } from '../../web/readBody.ts';
import { captionPages, sendText } from '../outputs/page/captionPage.ts';
import { type CaptionControl, type ControlState, controlCommandSchema } from './captionControl.ts';
import { OPERATOR_LIMITS, type OperatorMessage, type RoomFigures, type RoomView } from './operatorMessage.ts';

/** A source that an operator controls. */
export interface OperatorRoom {
  /** Name in the address, `/operator?room=NAME`; empty for the only one. */
  readonly name: string;
  readonly control: CaptionControl;
  /** Name of the page's track that the operator sees. Default: the name of the room. */
  readonly track?: string;
  /** Returns the present figures of the source. Default: the page does not show it. */
  readonly figures?: () => RoomFigures;
}

export interface OperatorOptions {
  /** Token of the operators. */
  readonly token: string;
  /** Returns the number of viewers. Default: the page does not show it. */
  readonly viewers?: () => number;
  /** Default `systemClock`. */
  readonly clock?: Clock;
}

/** Handler of requests below `/operator`. */
export type OperatorHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

/**
 * Minimum length of a token: a valid token is accepted even while wrong tokens are refused, so the throttle does not slow
 * guessing.
 */
const MIN_TOKEN_LENGTH = 16;

/** @throws InvalidArgumentError for a token that is short, or cannot be sent in a header */
export function checkOperatorToken(token: string): void {
  refuseIf(
    !new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN_LENGTH},200}$`).test(token),
    `The operator's token must have ${MIN_TOKEN_LENGTH} to 200 visible ASCII characters (found: ${token.length} characters).`,
  );
}

/**
 * Creates the handler of the operator's page: `/operator`, `/operator/events` with the state as server-sent events, and
 * `/operator/command`, which performs a command, and keeps its decision, before it answers. The token is expected as
 * `Authorization: Bearer`.
 *
 * @param rooms the first one is that of an address without `room`
 * @throws InvalidArgumentError as {@link checkOperatorToken}, and without a room
 * @example
 * page.route('/operator', operatorRoutes([{ name: '', control: room.control }], { token: 'sixteen-or-more-characters' }));
 */
export function operatorRoutes(rooms: readonly OperatorRoom[], options: OperatorOptions): OperatorHandler {
  namedOptions('OperatorOptions', options);
  checkOperatorToken(options.token);
  refuseIf(rooms.length === 0, 'The operator needs at least one source.');
  const routes = new OperatorRoutes(rooms, { clock: systemClock, ...options });
  return (request, response, url) => routes.answer(request, response, url);
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

class OperatorRoutes {
  readonly #rooms: readonly OperatorRoom[];
  /** The latest states, also of sources that have ended and emit no more. */
  readonly #states = new Map<OperatorRoom, ControlState>();
  readonly #token: Buffer;
  readonly #options: Pick<OperatorOptions, 'viewers'> & { readonly clock: Clock };
  readonly #guesses: GuessCounter;
  #operators = 0;

  constructor(rooms: readonly OperatorRoom[], options: OperatorOptions & { readonly clock: Clock }) {
    this.#rooms = rooms;
    this.#options = options;
    for (const room of rooms) {
      room.control.state$.subscribe({ next: state => this.#states.set(room, state), error: () => {} });
    }
    this.#token = hashOf(options.token);
    this.#guesses = new GuessCounter(options.clock);
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const path = url.pathname;
    const isPage = path === '/operator' || path === '/operator/';
    const method = path === '/operator/command' ? 'POST' : 'GET';
    if (!isPage && path !== '/operator/events' && path !== '/operator/command') {
      return sendProblem(response, 404, 'There is nothing at this address.');
    }
    if (request.method !== method && !(isPage && request.method === 'HEAD')) {
      return sendProblem(response, 405, `This address takes ${method} only.`, { allow: method });
    }
    // Below `/operator/`, the relative addresses of the page would lead nowhere.
    if (path === '/operator/') {
      response.writeHead(302, { ...PAGE_HEADERS, location: `../operator${url.search}` }).end();
    } else if (isPage) sendPage(response, captionPages.document(request, 'operator'));
    else if (this.#isAllowed(request, response)) await this.#answerOperator(request, response, url);
  }

  async #answerOperator(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const name = url.searchParams.get('room');
    const room = name === null ? this.#rooms[0] : this.#rooms.find(each => each.name === name);
    if (!room) sendProblem(response, 404, 'There is no source of this name.');
    else if (request.method === 'POST') await performCommand(request, response, room.control);
    else this.#watch(response, room);
  }

  #isAllowed(request: IncomingMessage, response: ServerResponse): boolean {
    const [, given] = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(hashOf(given), this.#token)) return true;
    const address = request.socket.remoteAddress ?? '';
    const waitMs = given === undefined ? 0 : this.#guesses.count(address);
    const seconds = String(Math.ceil(waitMs / 1000));
    const tooMany = `There were too many wrong tokens. Wait ${seconds} s.`;
    if (waitMs > 0) sendProblem(response, 429, tooMany, { 'retry-after': seconds });
    else sendProblem(response, 401, 'The token is missing or wrong.', { 'www-authenticate': 'Bearer' });
    return false;
  }

  #message(room: string): OperatorMessage {
    const rooms = this.#rooms.flatMap((each): RoomView[] => {
      const { name, track = name, figures } = each;
      const state = this.#states.get(each);
      return state ? [{ name, track, state, figures: figures?.() }] : [];
    });
    return { room, rooms, viewers: this.#options.viewers?.() };
  }

  /** Sends the state of all sources. A full connection gets the latest state when it can take data again. */
  #watch(response: ServerResponse, { name, control }: OperatorRoom): void {
    if (this.#operators >= OPERATOR_LIMITS.operators) {
      sendProblem(response, 503, 'There are too many operators.', { 'retry-after': '5' });
      return;
    }
    this.#operators++;
    response.shouldKeepAlive = false;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    response.socket?.setNoDelay(true);
    const textOf = (message: OperatorMessage) => `data: ${JSON.stringify(message)}\n\n`;
    const send = () => {
      const isReady = !response.destroyed && !response.writableEnded && !response.writableNeedDrain;
      if (isReady) response.write(textOf(this.#message(name)));
    };
    response.on('drain', send);
    const end = () => response.end();
    const complete = () => response.end(textOf({ ...this.#message(name), isOver: true }));
    const subscription = control.state$.subscribe({ next: send, error: end, complete });
    const stop = every(OPERATOR_LIMITS.tickMs, async () => send(), {
      clock: this.#options.clock,
      onError: end,
    });
    response.on('close', () => {
      this.#operators--;
      void stop();
      subscription.unsubscribe();
    });
  }
}

async function performCommand(request: IncomingMessage, response: ServerResponse, control: CaptionControl) {
  const { commandBytes } = OPERATOR_LIMITS;
  const body = await readBody(request, commandBytes + 1);
  if (body.length > commandBytes)
    return sendProblem(response, 413, 'The command is too long.', { connection: 'close' });
  const command = jsonOf(body.toString());
  if (!Value.Check(controlCommandSchema, command)) {
    return sendProblem(response, 400, 'This is not a command.');
  }
  try {
    await control.perform(command);
    send(response, 200, { performed: command.type });
  } catch (error) {
    if (!(error instanceof RxscribeError)) throw error;
    sendProblem(response, error instanceof InvalidArgumentError ? 409 : 500, error.message);
  }
}

type Headers = Readonly<Record<string, string>>;

function sendProblem(response: ServerResponse, status: number, title: string, headers?: Headers): void {
  send(response, status, { title }, headers);
}

function send(response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  sendText(response, status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

/** Counts wrong tokens by address, in spans of time. */
class GuessCounter {
  readonly #clock: Clock;
  readonly #counts = new Map<string, { readonly sinceMs: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a wrong token. Returns 0 if it may be answered as such, else the milliseconds until another one may. */
  count(address: string): number {
    const now = this.#clock.now();
    const { guesses, guessSpanMs, addresses } = OPERATOR_LIMITS;
    const known = this.#counts.get(address);
    if (!known || now - known.sinceMs >= guessSpanMs) {
      this.#counts.delete(address);
      this.#counts.set(address, { sinceMs: now, count: 1 });
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined && this.#counts.size > addresses) this.#counts.delete(oldest);
      return 0;
    }
    return ++known.count > guesses ? known.sinceMs + guessSpanMs - now : 0;
  }
}
