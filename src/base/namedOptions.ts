import { distance } from 'fastest-levenshtein';
import { InvalidArgumentError } from './errors.ts';
import optionNames from './optionNames.json' with { type: 'json' };

// Not `typeof` the import itself: TypeScript would emit that import in the declarations of the package without its attribute.
const NAMES = optionNames;

/** Largest part for a name that is refused: what is less similar may be meant for another function. */
const MOST_MISSPELT = 1 / 3;

/**
 * Returns the options of a function, which plain JavaScript does not check.
 *
 * @param type interface of the options; `npm run docs` writes its names to `optionNames.json`, with `!` for required ones
 * @param place place of the options within others, such as `standby.`
 * @throws InvalidArgumentError for anything but an object, a name that is probably misspelt, and a missing required option
 */
export function namedOptions<T extends object>(type: keyof typeof NAMES, options: T, place = ''): T {
  const entries = NAMES[type].split(' ');
  const required = entries.filter(entry => entry.endsWith('!')).map(entry => entry.slice(0, -1));
  if (typeof options !== 'object' || options === null) {
    const needed = required.length === 0 ? '' : ` with '${required.join("' and '")}'`;
    const found = options === null ? 'null' : typeof options;
    throw new InvalidArgumentError(`${type} must be an object${needed}, not ${found}.`);
  }
  const values = options as Readonly<Record<string, unknown>>;
  const given = Object.keys(options).filter(name => values[name] !== undefined);
  refuseMisspelt(given, namesOf(type), place);
  const missing = required.find(name => values[name] === undefined || values[name] === null);
  if (missing === undefined) return options;
  throw new InvalidArgumentError(`Option '${place}${missing}' must be set, not ${values[missing]}.`);
}

/** Returns the names of options that a function does not have. */
export function unknownOptions(type: keyof typeof NAMES, options: object): readonly string[] {
  const known = namesOf(type);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).filter(name => !known.includes(name));
}

function namesOf(type: keyof typeof NAMES): readonly string[] {
  return NAMES[type].replaceAll('!', '').split(' ');
}

/** @throws InvalidArgumentError for the first name that is probably one of the known names, but misspelt */
export function refuseMisspelt(names: readonly string[], known: readonly string[], place = ''): void {
  for (const name of names) {
    const meant = known.includes(name) ? undefined : closestName(name, known, MOST_MISSPELT);
    if (meant === undefined) continue;
    throw new InvalidArgumentError(`Unknown option '${place}${name}'. Did you mean '${place}${meant}'?`);
  }
}

/**
 * Returns the name that was probably meant; undefined when none is similar.
 *
 * @param mostWrong largest part of the name that may be wrong. Default 0.5
 */
export function closestName(name: string, names: readonly string[], mostWrong = 0.5): string | undefined {
  const near = names
    .map(known => ({ known, wrong: distance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, wrong }) => wrong <= Math.max(1, known.length * mostWrong))
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.known;
}
