import { expect, test } from 'vitest';
import { readSourceTree } from '../helpers/sourceTree.ts';

/** Rooms of `replay` from the lowest floor up. A room imports only rooms of lower floors. */
const FLOORS: readonly (readonly string[])[] = [
  ['time', 'session', 'rules', 'align'],
  ['cassette'],
  ['reference'],
  ['score'],
  ['measure'],
  ['play', 'report'],
  ['suite'],
  ['compare', 'vitest', 'load'],
];

/** Rooms within rooms, likewise. Files beside them are below all of them. */
const INNER_FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cassette: [['read', 'record'], ['import']],
  play: [['faults', 'script'], ['source'], ['match'], ['server']],
  suite: [['baseline'], ['read'], ['run']],
};

const files = readSourceTree().filter(({ path }) => path.startsWith('replay/'));

function roomOf(path: string, parent: string): string | undefined {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const [room, ...rest] = path.slice(parent.length + 1).split('/');
  return rest.length > 0 ? room : '';
}

test.each([
  ['replay', FLOORS],
  ...Object.entries(INNER_FLOORS).map(([room, floors]) => [`replay/${room}`, floors] as const),
] as const)('rooms of %s import lower floors only', (parent, floors) => {
  const floorOf = (room: string) => (room === '' ? -1 : floors.findIndex(rooms => rooms.includes(room)));
  const own = files.filter(({ path }) => roomOf(path, parent) !== undefined);
  expect(own.length).toBeGreaterThan(10);
  expect(
    own.map(({ path }) => roomOf(path, parent)!).filter(room => room !== '' && floorOf(room) < 0),
  ).toEqual([]);
  const wrong = own.flatMap(({ path, imports }) => {
    const from = roomOf(path, parent)!;
    return imports
      .map(target => [target, roomOf(target, parent)] as const)
      .filter(([, to]) => to !== undefined && to !== from && floorOf(to) >= floorOf(from))
      .map(([target]) => `${path} -> ${target}`);
  });
  expect(wrong).toEqual([]);
});
