import { STREAM_OPTIONS } from '../../../src/protocol/streamQuery.ts';
import { readSourceTree } from '../../helpers/sourceTree.ts';

/**
 * Returns the text of `src/base/optionNames.json`: for each interface whose options are checked by `namedOptions()`, the names of
 * its members, with `!` after required ones.
 *
 * @throws Error when there is no such interface, or it extends something that is not understood
 */
export function optionNamesText(): string {
  const text = readSourceTree()
    .map(file => file.text)
    .join('\n');
  const types = new Set([...text.matchAll(/namedOptions\(\s*'(\w+)'/g)].map(match => match[1]!));
  const entries = [...types].toSorted().map(type => [type, membersOf(type, text).join(' ')]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

function membersOf(type: string, text: string): readonly string[] {
  if (type === 'StreamOptions') return Object.keys(STREAM_OPTIONS);
  const heading = new RegExp(
    `^(?:export )?interface ${type}(?:<\\w+>)?(?: |\\n)([^{]*)\\{\\n?([\\s\\S]*?)^\\}`,
    'm',
  );
  const [, bases, body] = heading.exec(text) ?? [];
  if (bases === undefined || body === undefined) throw new Error(`There is no interface '${type}'.`);
  const own = [...body.matchAll(/^ {2}(?:readonly )?([\w$]+)(\??)(?:: |\()/gm)];
  const inherited = bases
    .replace(/^\s*extends/, '')
    .split(/,(?![^<]*>)/)
    .filter(base => base.trim() !== '');
  const names = own.map(([, name, optional]) => `${name}${optional ? '' : '!'}`);
  return [...new Set([...names, ...inherited.flatMap(base => inheritedFrom(base.trim(), text))])];
}

/** Returns the members of `Name`, `Pick<Name, 'a' | 'b'>` or `Omit<Name, 'a' | 'b'>`. */
function inheritedFrom(base: string, text: string): readonly string[] {
  const [, how, type, list = ''] = /^(?:(Pick|Omit)<)?(\w+)(?:,([^>]*)>)?$/.exec(base) ?? [];
  if (type === undefined) throw new Error(`Cannot read the members of '${base}'.`);
  const named = new Set(list.match(/[\w$]+/g));
  return membersOf(type, text).filter(
    member => how === undefined || named.has(member.replace('!', '')) === (how === 'Pick'),
  );
}
