import { setTimeout } from 'node:timers/promises';
import type { ControlCommand } from '../../../src/captions/control/captionControl.ts';
import type { OperatorMessage, RoomView } from '../../../src/captions/control/operatorMessage.ts';

const TOKEN = 'operator-of-the-soak-0123456789';
const RETRY_MS = 100;
/** Milliseconds for a process to start. */
const START_MS = 60_000;

export const OPERATOR_FLAGS = ['--operator-token', TOKEN] as const;

/** An operator, who asks again while the process is not there. */
export class Operator {
  readonly #url: string;

  readonly #query: string;

  /** @param room name of the source. Default: the first one */
  constructor(page: number, room?: string) {
    this.#url = `http://127.0.0.1:${page}`;
    this.#query = room === undefined ? '' : `?room=${room}`;
  }

  /** Performs a command. Resolves when its decision is kept, and rejects when no process does it within a minute. */
  async perform(command: ControlCommand): Promise<void> {
    const body = JSON.stringify(command);
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const ask = () => fetch(`${this.#url}/operator/command${this.#query}`, { method: 'POST', headers, body });
    await again(async () => (await ask()).ok || undefined);
  }

  /** Resolves with the present state of the source. */
  view(): Promise<RoomView> {
    return again(async () => {
      const message = await this.#message();
      return message?.rooms.find(({ name }) => name === message.room);
    });
  }

  async #message(): Promise<OperatorMessage | undefined> {
    const { body } = await fetch(`${this.#url}/operator/events${this.#query}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      signal: AbortSignal.timeout(5000),
    });
    let text = '';
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const [, data] = /data: (.*)\n\n/.exec(text) ?? [];
      if (data !== undefined) return JSON.parse(data) as OperatorMessage;
    }
    return undefined;
  }
}

async function again<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  const sinceMs = performance.now();
  while (performance.now() - sinceMs < START_MS) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
    await setTimeout(RETRY_MS);
  }
  throw new Error('No process answers the operator.');
}
