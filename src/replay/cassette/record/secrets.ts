import type { TranscribeOptions } from '../../../client/stream/options.ts';

/** What is shorter is no token that keeps anything safe, and would be found in ordinary words. */
const MIN_TOKEN_LENGTH = 8;

/** So many are known at a time: one that was replaced has no connection any more that could say it back. */
const MAX_TOKENS = 4;

const HIDDEN = '[token]';

/**
 * Knows the tokens of a recording. None is ever given to it to write; this is for services that say a token back, in a
 * message or as the reason of a close.
 */
export class Secrets {
  #tokens: readonly string[] = [];
  #pattern: RegExp | undefined;

  /** The same token, or what gets one, which is known from now on. */
  watch(token: TranscribeOptions['token']): TranscribeOptions['token'] {
    if (typeof token === 'string') return this.#noted(token);
    return async () => this.#noted(await token());
  }

  /** A text without them: as they are, escaped for an address, a form or JSON, and in base64. */
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

/** A character as it is or as JSON has it, as `%2f` or `%2F`, and of a space what forms have. */
function spellings(char: string): string {
  const escapes = [...Buffer.from(char)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const anyCase = escapes.replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`);
  const plain = /[\p{L}\p{N}]/u.test(char) ? char : `\\\\*\\u{${char.codePointAt(0)!.toString(16)}}`;
  return `(?:${plain}|${anyCase}${char === ' ' ? '|\\+' : ''})`;
}
