import { describe, expect, it, onTestFinished } from 'vitest';
import { OPERATOR_LIMITS, type OperatorMessage } from '../../../src/captions/control/operatorMessage.ts';
import {
  checkOperatorToken,
  type OperatorRoom,
  operatorRoutes,
} from '../../../src/captions/control/operatorRoutes.ts';
import { openPage } from '../outputs/page/pageClient.ts';
import { DeskControl } from './deskControl.ts';

const TOKEN = 'operator-token-0123456789';

async function openDesk(rooms?: readonly OperatorRoom[]) {
  const control = new DeskControl();
  const { page } = await openPage();
  page.route('/operator', operatorRoutes(rooms ?? [{ name: '', control }], { token: TOKEN }));
  const request = (path: string, init: RequestInit = {}, token: string | null = TOKEN) =>
    fetch(new URL(path, page.url), {
      redirect: 'manual',
      ...init,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...init.headers },
    });
  const send = (command: unknown, query = '', token?: string | null) => {
    const body = typeof command === 'string' ? command : JSON.stringify(command);
    return request(`operator/command${query}`, { method: 'POST', body }, token);
  };
  return { control, page, request, send };
}

/** Reads the states of an open desk, one at a time. */
async function* statesOf(response: Response): AsyncGenerator<OperatorMessage> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  onTestFinished(() => reader.cancel().catch(() => {}));
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6));
  }
}

describe('the routes of an operator', () => {
  it('send the page to anybody, which must not be framed', async () => {
    const { request } = await openDesk();
    const response = await request('operator', {}, null);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await response.text()).toContain('<title>Operator');
    const slash = await request('operator/?room=a', {}, null);
    expect([slash.status, slash.headers.get('location')]).toEqual([302, '../operator?room=a']);
  });

  it('perform a command before they answer', async () => {
    const { control, send } = await openDesk();
    for (const command of [{ type: 'kill' }, { type: 'ban', text: 'word' }]) {
      const response = await send(command);
      expect([response.status, await response.json()]).toEqual([200, { performed: command.type }]);
      expect(control.commands.at(-1)).toEqual(command);
    }
  });

  it.each([
    ['{', 400, 'This is not a command.'],
    [{ type: 'explode' }, 400, 'This is not a command.'],
    [{ type: 'kill', more: 1 }, 400, 'This is not a command.'],
    [{ type: 'ban', text: '' }, 400, 'This is not a command.'],
    [{ type: 'type', text: 'Hello.' }, 409, 'Recognised text is shown. Take over first.'],
    [{ type: 'ban', text: 'x'.repeat(OPERATOR_LIMITS.commandBytes) }, 413, 'The command is too long.'],
  ])('refuse what cannot be performed', async (command, status, title) => {
    const { control, send } = await openDesk();
    const response = await send(command);
    expect([response.status, await response.json()]).toEqual([status, { title }]);
    expect(control.commands).toEqual([]);
  });

  it('report the state, and each change of it', async () => {
    const { control, request } = await openDesk();
    const states = statesOf(await request('operator/events'));
    expect((await states.next()).value).toMatchObject({
      room: '',
      rooms: [{ name: '', track: '', state: { mode: 'on' } }],
    });
    await control.perform({ type: 'kill' });
    expect((await states.next()).value).toMatchObject({ rooms: [{ state: { mode: 'off' } }] });
  });

  it('report the end of the captions in the last message', async () => {
    const { control, request } = await openDesk();
    const states = statesOf(await request('operator/events'));
    expect((await states.next()).value).not.toHaveProperty('isOver');
    control.state$.complete();
    let last: OperatorMessage | undefined;
    for await (const message of states) last = message;
    expect(last).toMatchObject({ rooms: [{ state: { mode: 'on' } }], isOver: true });
  });

  it('keep several sources apart', async () => {
    const [hall, room] = [new DeskControl(), new DeskControl()];
    const { request, send } = await openDesk([
      { name: 'hall', control: hall },
      { name: 'room', control: room, track: 'room-2' },
    ]);
    const states = statesOf(await request('operator/events?room=room'));
    expect((await states.next()).value).toMatchObject({
      room: 'room',
      rooms: [
        { name: 'hall', track: 'hall' },
        { name: 'room', track: 'room-2' },
      ],
    });
    await send({ type: 'pause' }, '?room=room');
    await send({ type: 'kill' });
    expect([hall.commands, room.commands]).toEqual([[{ type: 'kill' }], [{ type: 'pause' }]]);
    expect((await send({ type: 'kill' }, '?room=other')).status).toBe(404);
  });

  it('let nobody in without the token, and never read it from the address', async () => {
    const { control, send, request } = await openDesk();
    expect((await send({ type: 'kill' }, '', null)).status).toBe(401);
    expect((await send({ type: 'kill' }, '', `${TOKEN}x`)).status).toBe(401);
    expect((await send({ type: 'kill' }, `?token=${TOKEN}`, null)).status).toBe(401);
    expect((await request('operator/events', {}, null)).status).toBe(401);
    expect(control.commands).toEqual([]);
  });

  it('answer further wrong tokens with 429, while the right one still works', async () => {
    const { send } = await openDesk();
    const statuses: number[] = [];
    for (let guess = 0; guess <= OPERATOR_LIMITS.guesses; guess++) {
      statuses.push((await send({ type: 'kill' }, '', `wrong${guess}`)).status);
    }
    expect(statuses.filter(status => status === 401)).toHaveLength(OPERATOR_LIMITS.guesses);
    expect(statuses.at(-1)).toBe(429);
    expect((await send({ type: 'kill' })).status).toBe(200);
  });

  it('refuse more operators than there can be, and let the next in when one leaves', async () => {
    const { request } = await openDesk();
    const open = [];
    for (let index = 0; index < OPERATOR_LIMITS.operators; index++)
      open.push(await request('operator/events'));
    expect((await request('operator/events')).status).toBe(503);
    await Promise.all(open.map(response => response.body!.cancel()));
    await expect
      .poll(async () => {
        const response = await request('operator/events');
        await response.body!.cancel();
        return response.status;
      })
      .toBe(200);
  });

  it('refuse other methods and addresses', async () => {
    const { request } = await openDesk();
    expect((await request('operator/command')).status).toBe(405);
    expect((await request('operator', { method: 'POST' })).status).toBe(405);
    expect((await request('operator/other')).status).toBe(404);
  });

  it.each(['short', 'with a space in the middle', 'ümlaut-ümlaut-ümlaut'])('refuse the token %j', token => {
    expect(() => checkOperatorToken(token)).toThrow("The operator's token must have 16 to 200");
  });
});
