import {
  ALIGNMENT_PREFIX,
  type BrandNames,
  LANGUAGE_ID_PREFIX,
  PLAIN_VOCABULARIES_PATH,
  SENTIMENT_PREFIX,
  SPEECH_TO_TEXT_PREFIX,
  VOCABULARIES_PATH,
} from '../../protocol/interfaceNames.ts';
import type { AreaName } from '../region.ts';

/** Where an area stands. */
export interface AreaPaths {
  /** All below each of them is its own, and the same. */
  readonly prefixes: readonly string[];
  /** What stands between a prefix and an id. */
  readonly collection: '/jobs' | '';
}

/** Where every area stands. Apart from the areas: a service without jobs has the paths, but nothing behind them. */
export function areaPaths({ legacyPrefix }: BrandNames): Readonly<Record<AreaName, AreaPaths>> {
  return {
    speechToText: { prefixes: [SPEECH_TO_TEXT_PREFIX], collection: '/jobs' },
    legacy: { prefixes: [legacyPrefix], collection: '/jobs' },
    languageId: { prefixes: [LANGUAGE_ID_PREFIX], collection: '/jobs' },
    alignment: { prefixes: [ALIGNMENT_PREFIX], collection: '/jobs' },
    sentiment: { prefixes: [SENTIMENT_PREFIX], collection: '/jobs' },
    vocabularies: { prefixes: [VOCABULARIES_PATH, PLAIN_VOCABULARIES_PATH], collection: '' },
  };
}

/** Paths of the collection of an area. */
export function collectionsOf(name: AreaName, names: BrandNames): readonly string[] {
  const { prefixes, collection } = areaPaths(names)[name];
  return prefixes.map(prefix => prefix + collection);
}
