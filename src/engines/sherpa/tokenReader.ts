import { readFileSync } from 'node:fs';
import { areBytes, textsOfBytes } from './byteTokens.ts';
import type { NativeConfig } from './messages.ts';
import { textTokens } from './wordPieces.ts';

/** Says a text for each token that a recogniser with a configuration gives. */
export function createTokenReader(config: NativeConfig): (tokens: readonly string[]) => readonly string[] {
  const { tokens } = config.modelConfig as { readonly tokens: string };
  return areBytes(textTokens(readFileSync(tokens, 'utf8'))) ? textsOfBytes : texts => texts;
}
