import type { ControlCommand } from '../../captions/control/captionControl.ts';
import { OPERATOR_LIMITS, type OperatorMessage } from '../../captions/control/operatorMessage.ts';

import { pageUrl } from '../thisPage.ts';

export interface DeskOptions {
  readonly token: string;
  readonly onMessage: (message: OperatorMessage) => void;
  readonly onConnected: (isConnected: boolean) => void;
  /** Called when the token is not accepted, with a sentence on the reason. */
  readonly onRefused: (reason: string) => void;
}

/** Connection to the routes of an operator. */
export type Desk = ReturnType<typeof openDesk>;

/**
 * Sends a command and shows its outcome. Resolves with true when the server has performed it; never rejects.
 *
 * @param rooms names of the sources. Default: the one of the page
 */
export type Perform = (command: ControlCommand, rooms?: readonly string[]) => Promise<boolean>;

/** Names of commands, for people. */
export const COMMAND_NAMES: Readonly<Record<ControlCommand['type'], string>> = {
  start: 'Start',
  pause: 'Pause',
  kill: 'Kill',
  unsend: 'Drop waiting words',
  ban: 'Ban',
  replace: 'Replace',
  vocabulary: 'Vocabulary',
  undo: 'Remove rule',
  'take-over': 'Take over',
  type: 'Typed phrase',
  retract: 'Take back',
  'hand-back': 'Hand back',
  language: 'Language',
  service: 'Service',
};

/** Milliseconds for the acknowledgement of a command. */
const COMMAND_MS = 4000;
/** Milliseconds between two attempts to connect. */
const RETRY_MS = 1000;
/** Attempts to remove the captions, and the milliseconds between them. Removing twice does no harm. */
const KILL = { attempts: 30, waitMs: 300, timeoutMs: 1500 } as const;

/** Subscribes to the state of the captions, and reconnects until it is closed. */
export function openDesk(options: DeskOptions) {
  const closing = new AbortController();
  void follow(options, closing.signal);
  return {
    /** Resolves when the command has been performed; rejects with a sentence on the reason when it has not, or may not have been. */
    async perform(command: ControlCommand, rooms: readonly (string | undefined)[] = [undefined]) {
      const act = command.type === 'kill' ? kill : send;
      await Promise.all(rooms.map(room => act({ ...options, room }, command)));
    },
    close: () => closing.abort(),
  };
}

/** A refusal that another attempt does not change. */
export class RefusedError extends Error {}

/** The access to a source: by default the one of the page. */
interface RoomAccess extends Pick<DeskOptions, 'token'> {
  readonly room?: string | undefined;
}

function addressOf(path: string, named?: string): URL {
  const url = pageUrl(path);
  const room = named ?? new URLSearchParams(location.search).get('room');
  if (room !== null) url.searchParams.set('room', room);
  return url;
}

async function kill(access: RoomAccess, command: ControlCommand): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(access, command, KILL.timeoutMs);
    } catch (error) {
      if (error instanceof RefusedError || attempt === KILL.attempts) throw error;
      await after(KILL.waitMs);
    }
  }
}

async function send({ token, room }: RoomAccess, command: ControlCommand, timeoutMs = COMMAND_MS) {
  const response = await fetch(addressOf('operator/command', room), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(command),
    signal: AbortSignal.timeout(timeoutMs),
    cache: 'no-store',
  }).catch(() => {
    throw new Error('No answer came from the server.');
  });
  if (!response.ok) throw new RefusedError(await titleOf(response));
}

async function titleOf(response: Response): Promise<string> {
  const problem: unknown = await response.json().catch(() => undefined);
  const title = problem && typeof problem === 'object' && 'title' in problem ? String(problem.title) : '';
  return title || `The server answered with status ${response.status}.`;
}

const after = (delayMs: number) => new Promise(resolve => setTimeout(resolve, delayMs));

async function follow(options: DeskOptions, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    const silent = new AbortController();
    try {
      await readMessages(options, AbortSignal.any([closed, silent.signal]), silent);
    } catch (error) {
      if (error instanceof RefusedError && !closed.aborted) options.onRefused(error.message);
      if (error instanceof RefusedError) return;
    }
    if (closed.aborted) return;
    options.onConnected(false);
    await after(RETRY_MS);
  }
}

async function readMessages(
  { token, onMessage, onConnected }: DeskOptions,
  signal: AbortSignal,
  silent: AbortController,
): Promise<void> {
  let timer = setTimeout(() => silent.abort(), OPERATOR_LIMITS.silentMs);
  try {
    const response = await fetch(addressOf('operator/events'), {
      headers: { authorization: `Bearer ${token}` },
      signal,
      cache: 'no-store',
    });
    if ([401, 404, 429].includes(response.status)) throw new RefusedError(await titleOf(response));
    if (!response.ok || !response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), OPERATOR_LIMITS.silentMs);
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (event.startsWith('data: ')) onMessage(JSON.parse(event.slice(6)) as OperatorMessage);
      }
      onConnected(true);
    }
  } finally {
    clearTimeout(timer);
  }
}
