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

/** The paths of an area. */
export interface AreaPaths {
  /** Prefixes that belong to the area, all of them equivalent. */
  readonly prefixes: readonly string[];
  /** The path between a prefix and an id. */
  readonly collection: '/jobs' | '';
}

/** Returns the paths of every area. Apart from the areas, which a service without jobs does not load. */
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

/** Returns the paths of the collection of an area. */
export function collectionsOf(name: AreaName, names: BrandNames): readonly string[] {
  const { prefixes, collection } = areaPaths(names)[name];
  return prefixes.map(prefix => prefix + collection);
}
