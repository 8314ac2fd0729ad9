import type { TranscribeOptions } from '../../client/stream/options.ts';

/** What is shorter is no token that keeps anything safe, and would be found in ordinary words. */
const MIN_LENGTH = 8;

const HIDDEN = '[token]';

/**
 * Knows the tokens of a recording. None is ever given to it to write; this is for services that say a token back, in a
 * message or as the reason of a close.
 */
export class Secrets {
  /** As they may stand in JSON. */
  readonly #forms = new Set<string>();

  /** The same token, or what gets one, which is known from now on. */
  watch(token: TranscribeOptions['token']): TranscribeOptions['token'] {
    if (typeof token === 'string') return this.#noted(token);
    return async () => this.#noted(await token());
  }

  /** A line of JSON without them. */
  hide(line: string): string {
    let text = line;
    for (const form of this.#forms) text = text.replaceAll(form, HIDDEN);
    return text;
  }

  #noted(token: string): string {
    if (token.length >= MIN_LENGTH) {
      for (const form of [token, encodeURIComponent(token), Buffer.from(token).toString('base64')]) {
        const inJson = escaped(form);
        this.#forms.add(inJson);
        // In a message that is JSON, as a text in JSON.
        this.#forms.add(escaped(inJson));
      }
    }
    return token;
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
