import { emptyPageText, type PageParagraph, type PageText } from '../../captions/outputs/page/pageText.ts';

export interface TextViewOptions {
  /** Scrolling element for the text. */
  readonly box: HTMLElement;
  /** Called when the reader scrolls back in the history, and when the newest text is shown again. */
  readonly onFollow: (isFollowing: boolean) => void;
}

export interface TextLayout {
  /** Rows of the box; undefined when it fills the page. */
  readonly rows: number | undefined;
  /** True when the first row stands at the top of the box, and further ones below it. */
  readonly fromTop: boolean;
  readonly hasTail: boolean;
}

interface ShownParagraph {
  readonly element: HTMLElement;
  /** Inline element within it, so that a background is behind the words only. */
  readonly line: HTMLElement;
  readonly words: Text;
  paragraph: PageParagraph;
}

const ROLL_MS = 160;

/**
 * Shows the text of a page in an element.
 *
 * A shown word keeps its place in its row: text is appended to the last row, and whole rows move up. A finished paragraph takes
 * its final form; if rows are limited, after it has left the screen. Elements are appended to and never rebuilt, so that a
 * selection stays while the text grows. Uncertain words that would begin a row are left out, since the row would vanish with
 * them.
 */
export class TextView {
  readonly #box: HTMLElement;
  readonly #onFollow: (isFollowing: boolean) => void;
  readonly #content = document.createElement('div');
  /** Blank rows that keep the history out of the box. */
  readonly #blank = document.createElement('div');
  /** Zero-width end of the certain words, and the uncertain ones after it. */
  readonly #end = document.createElement('span');
  readonly #tail = document.createElement('span');
  readonly #resize = new ResizeObserver(() => this.#place());
  #layout: TextLayout = { rows: undefined, fromTop: false, hasTail: true };
  #shown: ShownParagraph[] = [];
  #text: PageText = emptyPageText;
  #next: PageText | undefined;
  #frame: number | undefined;
  #isFollowing = true;
  /** Position of the newest row, from which the movement of rows is computed. */
  #bottom = 0;

  constructor({ box, onFollow }: TextViewOptions) {
    this.#box = box;
    this.#onFollow = onFollow;
    this.#content.className = 'text';
    this.#blank.className = 'blank';
    this.#tail.className = 'tail';
    this.#tail.dir = 'auto';
    this.#tail.setAttribute('aria-hidden', 'true');
    box.append(this.#content);
    box.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    document.addEventListener('visibilitychange', () => this.#render());
    this.#resize.observe(box);
  }

  /** Shows a text with the next frame; at once when the page is not visible, so that no removed text flashes up later. */
  show(text: PageText): void {
    this.#next = text;
    if (document.hidden || text.paragraphs.length === 0) this.#render();
    else this.#frame ??= requestAnimationFrame(() => this.#render());
  }

  setLayout(layout: TextLayout): void {
    this.#layout = layout;
    this.#showTail();
    this.#place();
  }

  /** Returns to the newest text. */
  follow(): void {
    this.#setFollowing(true);
    this.#place();
  }

  #render(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const next = this.#next;
    if (!next) return;
    this.#next = undefined;
    this.#removeOld(next);
    for (const [index, paragraph] of next.paragraphs.entries()) {
      const shown = this.#shown[index];
      if (shown) this.#grow(shown, paragraph);
      else this.#append(paragraph);
    }
    for (const { element } of this.#shown.splice(next.paragraphs.length)) element.remove();
    this.#markPast(next);
    this.#text = next;
    this.#showTail();
    this.#place(true);
  }

  #removeOld(next: PageText): void {
    const before = this.#text;
    const isOther = next.first < before.first || next.first > before.first + this.#shown.length;
    const old = this.#shown.splice(0, isOther ? this.#shown.length : next.first - before.first);
    if (old.length === 0) return;
    const height = this.#content.offsetHeight;
    for (const { element } of old) element.remove();
    // A reader of the history keeps the scroll position.
    if (!this.#isFollowing) this.#box.scrollTop -= height - this.#content.offsetHeight;
  }

  #append(paragraph: PageParagraph): void {
    const { kind, text } = paragraph;
    const element = document.createElement('p');
    element.dir = 'auto';
    element.className = kind;
    const words = document.createTextNode(text);
    const line = document.createElement('span');
    line.className = 'line';
    line.append(words);
    element.append(line);
    this.#content.append(element);
    this.#shown.push({ element, line, words, paragraph });
  }

  #grow(shown: ShownParagraph, paragraph: PageParagraph): void {
    if (shown.paragraph === paragraph) return;
    const { element, words, paragraph: before } = shown;
    const { kind, text } = paragraph;
    const grows = text.startsWith(before.text);
    // Retracted text is removed; other paragraphs stay as they were read.
    if (!grows && !before.text.startsWith(text) && this.#isInRows(element)) return;
    element.hidden = text === '';
    if (kind !== before.kind) element.className = kind;
    // Appending keeps a selection, replacing does not.
    if (grows) words.appendData(text.slice(before.text.length));
    else words.data = text;
    shown.paragraph = paragraph;
  }

  #isInRows(element: HTMLElement): boolean {
    const bottom = element.getBoundingClientRect().bottom;
    return this.#layout.rows !== undefined && bottom > this.#box.getBoundingClientRect().top;
  }

  /** Hides the history, and puts the blank rows between it and the live area. */
  #markPast({ live, first }: PageText): void {
    for (const [index, { element }] of this.#shown.entries()) {
      element.classList.toggle('past', first + index < live);
    }
    const firstLive = this.#shown[live - first]?.element ?? null;
    if (this.#layout.fromTop) this.#content.append(this.#blank);
    else if (this.#blank.nextSibling !== firstLive || !this.#blank.parentNode) {
      this.#content.insertBefore(this.#blank, firstLive);
    }
  }

  /** Shows the uncertain words that fit on the last row. */
  #showTail(): void {
    const { tail, first, live } = this.#text;
    this.#end.remove();
    this.#tail.remove();
    if (tail === '' || !this.#layout.hasTail) return;
    const last = this.#shown.at(-1)?.line;
    const isEmpty = first + this.#shown.length === live;
    // On a page without limited rows, a tail on its own row would make the row appear and vanish.
    if (isEmpty && this.#layout.rows === undefined) return;
    this.#tail.classList.toggle('alone', isEmpty);
    this.#tail.replaceChildren();
    if (!isEmpty) last?.append(this.#end, this.#tail);
    else if (this.#layout.fromTop) this.#blank.before(this.#tail);
    else this.#content.append(this.#tail);
    const words = tail.split(' ').map((word, index) => {
      const element = document.createElement('span');
      element.textContent = index === 0 && isEmpty ? word : ` ${word}`;
      return element;
    });
    this.#tail.append(...words);
    this.#cutTail(words, isEmpty);
  }

  #cutTail(words: readonly HTMLElement[], isEmpty: boolean): void {
    const row = (isEmpty ? words[0] : this.#end)?.getClientRects()[0];
    if (!row) return;
    const over = words.findIndex(word => {
      const rects = word.getClientRects();
      return rects.length > 1 || (rects[0]?.top ?? 0) > row.top + row.height / 2;
    });
    if (over >= 0) for (const word of words.slice(over)) word.remove();
  }

  /**
   * Sets the blank rows and scrolls to the newest text. Rows that move up are animated, unless the viewer prefers reduced
   * motion.
   */
  #place(isAnimated = false): void {
    if (!this.#isFollowing) return;
    const box = this.#box;
    const blankHeight =
      this.#layout.rows === undefined ? 0 : Math.max(0, box.clientHeight - this.#liveHeight());
    this.#blank.style.blockSize = `${blankHeight}px`;
    const before = this.#bottom;
    // Not scrollHeight, which is larger while rows are seen moving.
    const top = Math.max(0, this.#content.offsetHeight - box.clientHeight);
    box.scrollTop = top;
    box.dataset.isFull = String(top > 0);
    this.#bottom = this.#layout.fromTop ? top : top - blankHeight;
    const moved = this.#bottom - before;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!isAnimated || isStill || moved <= 0 || moved >= box.clientHeight) return;
    const keyframes = [{ transform: `translateY(${moved}px)` }, { transform: 'none' }];
    this.#content.animate(keyframes, { duration: ROLL_MS, easing: 'ease-out' });
  }

  #liveHeight(): number {
    const isAlone = this.#tail.isConnected && this.#tail.classList.contains('alone');
    const first = this.#shown[this.#text.live - this.#text.first]?.element;
    const last = this.#shown.at(-1)?.element;
    const height = first && last ? last.offsetTop + last.offsetHeight - first.offsetTop : 0;
    return height + (isAlone ? this.#tail.offsetHeight : 0);
  }

  #onScroll(): void {
    const { scrollTop, clientHeight } = this.#box;
    const row = Number.parseFloat(getComputedStyle(this.#box).lineHeight) || 24;
    this.#setFollowing(this.#content.offsetHeight - scrollTop - clientHeight < row / 2);
  }

  #setFollowing(isFollowing: boolean): void {
    if (isFollowing === this.#isFollowing) return;
    this.#isFollowing = isFollowing;
    this.#onFollow(isFollowing);
  }
}
