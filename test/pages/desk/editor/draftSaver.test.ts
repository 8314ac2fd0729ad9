import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DraftSaver, SAVING } from '../../../../src/pages/desk/editor/draftSaver.ts';
import type { SaveState } from '../../../../src/pages/desk/editor/saveState.ts';
import { restoreDraft } from '../../../../src/pages/desk/editor/storedDraft.ts';
import type { DeskTurn } from '../../../../src/protocol/desk.ts';
import { DeskServer, type Fate, MemoryStorage, PlainEditor, turnOf } from './deskServer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const texts = (turns: readonly DeskTurn[]) => turns.map(({ text }) => text);

/** Opens the draft of a server in a window. */
function openWindow(server: DeskServer, storage = new MemoryStorage()) {
  const { draft } = server;
  const restored = restoreDraft(storage, 'job', draft);
  const editor = new PlainEditor(restored.turns, restored.names);
  const states: SaveState[] = [];
  const events = new EventTarget();
  const saver = new DraftSaver({
    jobId: 'job',
    calls: server,
    draft,
    restored,
    editor,
    storage,
    events,
    onState: state => states.push(state),
  });
  editor.onChange = change => saver.changed(change);
  const type = (text: string, at = 0) => editor.replaceTurns(at, at + 1, [turnOf(text)]);
  return { server, editor, saver, states, events, storage, type };
}

const openDraft = (...turns: string[]) => new DeskServer(turns.map(turnOf));

describe('a saver of drafts', () => {
  test('saves after a pause', async () => {
    const { server, type, saver, states } = openWindow(openDraft('a', 'b'));
    type('x');
    await wait(SAVING.pauseMs - 1);
    expect(server.calls).toEqual([]);
    await wait(200);
    expect(texts(server.turns)).toEqual(['x', 'b']);
    expect(states.map(({ type }) => type)).toEqual(['unsent', 'saving', 'saved']);
    expect(saver.revision).toBe(1);
  });

  test('saves while somebody types on and on', async () => {
    const { server, type } = openWindow(openDraft('a'));
    for (let ms = 0; ms < 12_000; ms += 200) {
      type(`text ${ms}`);
      await wait(200);
    }
    expect(server.revision).toBe(2);
  });

  test('sends changes of several places together', async () => {
    const { server, type } = openWindow(openDraft('a', 'b', 'c', 'd'));
    type('x', 2);
    type('y', 0);
    await wait(3000);
    expect([server.revision, ...texts(server.turns)]).toEqual([1, 'y', 'b', 'x', 'd']);
  });

  test('saves the first text of an empty draft, and not before it is typed', async () => {
    const { server, type } = openWindow(openDraft());
    await wait(10_000);
    expect(server.calls).toEqual([]);
    type('x');
    await wait(3000);
    expect(texts(server.turns)).toEqual(['x']);
  });

  test('knows a change that was saved while the answer was lost', async () => {
    const { server, type, saver, states } = openWindow(openDraft('a', 'b'));
    server.fates = ['answer lost'];
    type('x');
    await wait(1600);
    type('y', 1);
    await Promise.all([saver.flush(), wait(3000)]);
    expect(texts(server.turns)).toEqual(['x', 'y']);
    expect([server.revision, saver.state.type]).toEqual([2, 'saved']);
    expect(states.map(({ type }) => type)).toContain('offline');
  });

  test('sends at once when the network is back', async () => {
    const { server, type, events } = openWindow(openDraft('a'));
    server.fates = Array(4).fill('request lost');
    type('x');
    await wait(2000);
    server.fates = [];
    events.dispatchEvent(new Event('online'));
    // A call that is under way may still fail; the next one asks first what has been saved.
    await wait(1000);
    expect(texts(server.turns)).toEqual(['x']);
  });

  test('rejects flushing with the reason', async () => {
    const { server, type, saver } = openWindow(openDraft('a'));
    server.fates = ['request lost'];
    type('x');
    const flushed = saver.flush();
    await Promise.all([expect(flushed).rejects.toMatchObject({ status: 0 }), wait(500)]);
    server.conflict = 'claimed';
    const again = saver.flush();
    await Promise.all([expect(again).rejects.toMatchObject({ conflict: 'claimed' }), wait(500)]);
    const blocked = saver.flush();
    await expect(blocked).rejects.toMatchObject({ conflict: 'claimed' });
  });

  test('goes on after a lapsed claim is renewed', async () => {
    const { server, type, saver } = openWindow(openDraft('a'));
    server.conflict = 'lapsed';
    type('x');
    await wait(3000);
    expect(saver.state).toEqual({ type: 'lapsed', isStored: true });
    server.conflict = undefined;
    type('xy');
    saver.resume();
    await wait(3000);
    expect([texts(server.turns), saver.state.type]).toEqual([['xy'], 'saved']);
  });

  test('merges what two windows have changed in different turns and words, and names', async () => {
    const server = openDraft('a', 'b', 'c', 'd e f');
    const [one, other] = [openWindow(server), openWindow(server)];
    one.editor.rename(['Ada']);
    one.editor.replaceTurns(0, 2, [turnOf('one'), turnOf('one more'), turnOf('b')]);
    one.type('one e f', 4);
    await wait(3000);
    other.editor.rename(['', 'Ben']);
    other.type('other', 2);
    other.type('d e other', 3);
    await wait(5000);
    const merged = ['one', 'one more', 'b', 'other', 'one e other'];
    expect([texts(server.turns), texts(other.editor.list)]).toEqual([merged, merged]);
    expect([server.names, other.editor.names]).toEqual([
      ['Ada', 'Ben'],
      ['Ada', 'Ben'],
    ]);
    expect([other.saver.state.type, other.storage.length]).toEqual(['saved', 0]);
  });

  test.each([
    ['ours', ['one', 'other', 'c']],
    ['theirs', ['one', 'one too', 'c']],
    ['both', ['one', 'other one too', 'c']],
  ] as const)('asks about a turn that two windows have changed, and keeps %s', async (choice, expected) => {
    const server = openDraft('a', 'b', 'c');
    const [one, other] = [openWindow(server), openWindow(server)];
    one.type('one');
    one.type('one too', 1);
    await wait(3000);
    other.type('other', 1);
    await wait(3000);
    expect(other.saver.state).toMatchObject({
      type: 'conflict',
      conflicts: [{ ours: [turnOf('other')], theirs: [turnOf('one too')] }],
    });
    expect(other.saver.merge([])).toBe(false);
    expect(other.saver.merge([choice])).toBe(true);
    await wait(3000);
    expect(other.saver.state.type).toBe('saved');
    expect([texts(server.turns), texts(other.editor.list)]).toEqual([expected, expected]);
    expect(other.storage.length).toBe(0);
  });

  test('shows the conflicts there are when others have come meanwhile, and merges these', async () => {
    const server = openDraft('a', 'b', 'c', 'd');
    const [one, other] = [openWindow(server), openWindow(server)];
    one.type('one', 1);
    one.type('one', 3);
    await wait(3000);
    other.type('other', 1);
    await wait(3000);
    other.type('other', 3);
    expect(other.saver.state).toMatchObject({ type: 'conflict', conflicts: [{}] });
    expect(other.saver.merge(['both'])).toBe(false);
    expect(other.saver.state).toMatchObject({ type: 'conflict', conflicts: [{}, {}] });
    expect(other.saver.merge(['both', 'ours'])).toBe(true);
    await wait(3000);
    expect(texts(server.turns)).toEqual(['a', 'other one', 'c', 'other']);
    expect(other.saver.state.type).toBe('saved');
  });

  test('merges again when a third text was saved meanwhile, and drops nothing when the server has gone back', async () => {
    const server = openDraft('a', 'b', 'c');
    const [one, other] = [openWindow(server), openWindow(server)];
    one.type('one', 1);
    await wait(3000);
    other.type('other', 1);
    await wait(3000);
    one.type('later', 2);
    await wait(3000);
    expect(other.saver.merge(['both'])).toBe(true);
    await wait(5000);
    expect(texts(server.turns)).toEqual(['a', 'other one', 'later']);
    server.revision = 1;
    server.turns = ['a', 'b', 'c'].map(turnOf);
    other.type('last');
    await wait(5000);
    expect(texts(server.turns)).toEqual(['last', 'other one', 'later']);
  });

  test.each([true, false])('inserts the turns of an earlier window: %s', async isInserted => {
    const server = openDraft('a', 'b', 'c');
    const storage = new MemoryStorage();
    const crashed = openWindow(server, storage);
    crashed.type('x', 1);
    await wait(400);
    crashed.saver.close();
    const elsewhere = openWindow(server);
    elsewhere.type('elsewhere');
    await wait(3000);
    const { saver, editor } = openWindow(server, storage);
    expect(saver.state).toEqual({ type: 'kept', kept: [turnOf('x')], isStored: true });
    expect(storage.length).toBe(1);
    saver.endKept(isInserted);
    await wait(3000);
    const expected = isInserted ? ['elsewhere', 'b', 'x', 'c'] : ['elsewhere', 'b', 'c'];
    expect([texts(server.turns), texts(editor.list)]).toEqual([expected, expected]);
    expect(saver.state.type).toBe('saved');
    expect(storage.length).toBe(0);
  });

  test('saves while turns of an earlier window wait for a choice', async () => {
    const server = openDraft('a', 'b', 'c');
    const storage = new MemoryStorage();
    for (const text of ['x', 'y']) {
      const crashed = openWindow(server, new MemoryStorage());
      crashed.type(text, 1);
      crashed.saver.close();
      for (const [key, item] of crashed.storage.items) storage.setItem(key, item);
      await wait(1);
    }
    const { saver, type } = openWindow(server, storage);
    expect(saver.state).toMatchObject({ type: 'kept', kept: [turnOf('y')] });
    await wait(500);
    expect(texts(server.turns)).toEqual(['a', 'x', 'c']);
    type('z');
    await wait(3000);
    expect(texts(server.turns)).toEqual(['z', 'x', 'c']);
    expect(storage.length).toBe(1);
  });

  test.each(['', '{', '{"revision":0}', '{"revision":0,"splices":[{"from":0,"to":1}]}', '[null]'])(
    'saves although the storage has %s',
    async stored => {
      const server = openDraft('a');
      const storage = new MemoryStorage();
      storage.setItem('rxscribe-desk-unsent:job:1', stored);
      const { type, saver } = openWindow(server, storage);
      type('x');
      await wait(3000);
      expect([texts(server.turns), saver.state.type]).toEqual([['x'], 'saved']);
    },
  );

  test('reports a full storage', async () => {
    const { type, storage, saver } = openWindow(openDraft('a'));
    storage.isFull = true;
    type('x');
    await wait(400);
    expect(saver.state).toEqual({ type: 'unsent', isStored: false });
    await wait(3000);
    expect(saver.state.type).toBe('saved');
  });
});

/** Returns names and texts. */
const writtenIn = ({ names, list }: PlainEditor) => [...names, ...texts(list)];

const failures: Fate[] = ['request lost', 'answer lost', 'broken after', 'broken before', 'busy'];
const fate: fc.Arbitrary<Fate> = fc.oneof(fc.constant('answered'), fc.constantFrom(...failures));
const some = <const Kind extends string, Rest extends object>(
  weight: number,
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
) => ({ weight, arbitrary: fc.record(rest).map(values => ({ kind, ...values })) });
const event = fc.oneof(
  some(6, 'type', { at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(2), put: fc.nat(2) }),
  some(4, 'wait', { ms: fc.oneof(fc.nat(300), fc.integer({ min: 1500, max: 2200 }), fc.nat(6000)) }),
  some(1, 'rename', { name: fc.constantFrom('Ada', 'Ben', '') }),
  some(1, 'crash', {}),
  some(1, 'leave', {}),
);

test('what was typed is on the server or in the storage, whatever fails and whenever the window dies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 30 }),
      fc.array(fate, { maxLength: 20 }),
      fc.nat(60),
      async (events, fates, count) => {
        const server = openDraft(...[...Array(count).keys()].map(String));
        server.fates = [...fates];
        const storage = new MemoryStorage();
        let opened = openWindow(server, storage);
        /** Texts that a crash may leave: those of the last moments. */
        let history = [{ on: Date.now(), texts: writtenIn(opened.editor) }];
        let typed = 0;
        for (const event of events) {
          if (event.kind === 'type') {
            const at = Math.floor(event.at * opened.editor.count);
            const put = [...Array(event.put)].map(() => turnOf(`typed ${++typed}`));
            const to = Math.min(opened.editor.count, at + event.removed);
            if (to - at === opened.editor.count && put.length === 0) continue;
            opened.editor.replaceTurns(at, to, put);
            history.push({ on: Date.now(), texts: writtenIn(opened.editor) });
          } else if (event.kind === 'rename') {
            opened.editor.rename([event.name]);
            history.push({ on: Date.now(), texts: writtenIn(opened.editor) });
          } else if (event.kind === 'wait') await wait(event.ms);
          else {
            if (event.kind === 'leave') opened.events.dispatchEvent(new Event('pagehide'));
            const oldest = event.kind === 'leave' ? Date.now() + 1 : Date.now() - SAVING.storeMs;
            const last = history.findLastIndex(({ on }) => on < oldest);
            const possible = history.slice(Math.max(0, last));
            // The dead window sends nothing any more.
            vi.clearAllTimers();
            opened = openWindow(server, storage);
            const now = writtenIn(opened.editor);
            expect(possible.map(({ texts }) => texts)).toContainEqual(now);
            history = [{ on: Date.now(), texts: now }];
          }
          expect(['conflict', 'refused', 'ended']).not.toContain(opened.saver.state.type);
        }
        server.fates = [];
        await wait(60_000);
        expect(opened.saver.state.type).toBe('saved');
        const saved = server.turns.length === 0 ? [''] : texts(server.turns);
        expect([...server.names, ...saved]).toEqual(writtenIn(opened.editor));
        expect(storage.length).toBe(0);
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 1000) },
  );
});
