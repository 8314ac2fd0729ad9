import { accessToken } from '../../../client/serviceAccess.ts';
import type { TranscribeOptions } from '../../../client/stream/options.ts';

/** Shortest token that is hidden: a shorter one would be found in ordinary words. */
const MIN_TOKEN_LENGTH = 8;

/** Maximum number of known tokens: no connection with an older token is left to return it. */
const MAX_TOKENS = 4;

const HIDDEN = '[token]';

/**
 * Hides the tokens of a recording. The client never passes a token to the recorder; this is for services that return
 * one in a message or in the reason of a close.
 */
export class Secrets {
  #tokens: readonly string[] = [];
  #pattern: RegExp | undefined;

  /** Returns the same token or token source, whose tokens are known from then on. */
  watch(token: TranscribeOptions['token']): TranscribeOptions['token'] {
    if (typeof token === 'string') return this.#noted(token);
    return async () => this.#noted(await accessToken(token));
  }

  /** Replaces the tokens in a text: plain, escaped for an address, a form or JSON, and in base64. */
  hide(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, HIDDEN) : text;
  }

  #noted(token: string): string {
    if (token.length >= MIN_TOKEN_LENGTH && !this.#tokens.includes(token)) {
      this.#tokens = [...this.#tokens, token].slice(-MAX_TOKENS);
      this.#pattern = new RegExp(this.#tokens.flatMap(patternsOf).join('|'), 'gu');
    }
    return token;
  }
}

function patternsOf(token: string): readonly string[] {
  const base64 = Buffer.from(token).toString('base64').replace(/=+$/, '');
  return [[...token].map(spellings).join(''), `${[...base64].map(spellings).join('')}(?:=|%3[dD]){0,2}`];
}

/**
 * Returns a pattern for a character: plain or escaped as in JSON, as `%2f` or `%2F`, and for a space also as in forms.
 */
function spellings(char: string): string {
  const escapes = [...Buffer.from(char)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const anyCase = escapes.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
  const plain = /[\p{L}\p{N}]/u.test(char) ? char : `\\\\*\\u{${char.codePointAt(0)!.toString(16)}}`;
  return `(?:${plain}|${anyCase}${char === ' ' ? '|\\+' : ''})`;
}
