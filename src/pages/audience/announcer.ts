import { emptyPageText, type PageText } from '../../captions/outputs/page/pageText.ts';

/** Milliseconds for which words are collected, as a screen reader stumbles over single ones. */
const COLLECT_MS = 2500;
/** Announcements that stay in the document. */
const KEPT = 5;

/** Puts new text into a live region, each word once. */
export class Announcer {
  readonly #region: HTMLElement;
  #before = emptyPageText;
  #words: string[] = [];
  #timer: number | undefined;

  constructor(region: HTMLElement) {
    this.#region = region;
  }

  /** Announces the certain words that a text adds to the one before it. */
  take(text: PageText, isNew: boolean): void {
    const before = this.#before;
    this.#before = text;
    if (isNew) this.#words.push(...newTexts(before, text));
    if (text.paragraphs.length === 0) this.#clear();
    else if (this.#words.length > 0) this.#timer ??= window.setTimeout(() => this.#announce(), COLLECT_MS);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#words = [];
    this.#region.replaceChildren();
  }

  #announce(): void {
    const element = document.createElement('p');
    element.textContent = this.#words.join(' ');
    this.#region.append(element);
    while (this.#region.childElementCount > KEPT) this.#region.firstElementChild?.remove();
    this.#words = [];
    this.#timer = undefined;
  }
}

/** Returns the texts that the next text of the page appends to this one. */
function newTexts(before: PageText, after: PageText): readonly string[] {
  const last = before.first + before.paragraphs.length - 1;
  return after.paragraphs.flatMap(({ text }, index) => {
    const number = after.first + index;
    if (number > last) return [text];
    const known = before.paragraphs[number - before.first]?.text ?? text;
    return number === last && text.length > known.length && text.startsWith(known)
      ? [text.slice(known.length).trim()]
      : [];
  });
}
