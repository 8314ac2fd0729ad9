// Shared with the browser: imports nothing of Node.

/** A paragraph of the page. Text is only appended to it, until it takes its final form. */
export interface PageParagraph {
  /** `turn`: the first of a new speaker. `notice`: a text such as that of an outage. */
  readonly kind: 'speech' | 'turn' | 'notice';
  readonly text: string;
}

/** Text of the page: the history, the live area after it, and the uncertain words at its end. */
export interface PageText {
  /** Paragraphs of the history and the live area, oldest first. */
  readonly paragraphs: readonly PageParagraph[];
  /** Number of the first paragraph; paragraphs are numbered from 0, and old ones are removed. */
  readonly first: number;
  /** Number of the first paragraph of the live area. */
  readonly live: number;
  /** Uncertain words after the last paragraph. */
  readonly tail: string;
  /** True after the last word of the event. */
  readonly isOver: boolean;
}

/** One change of the page's text. */
export type PageChange =
  /** Begins a paragraph. */
  | { readonly type: 'begin'; readonly kind: PageParagraph['kind']; readonly text: string }
  /** Appends words to the last paragraph. */
  | { readonly type: 'add'; readonly text: string }
  /** Gives a paragraph its final form, which is empty when all of it is taken back. */
  | { readonly type: 'finish'; readonly number: number; readonly text: string }
  /** Replaces the uncertain words. */
  | { readonly type: 'tail'; readonly text: string }
  /** Empties the live area; its text stays in the history. */
  | { readonly type: 'clear' }
  /** Removes everything, history included. */
  | { readonly type: 'off' }
  | { readonly type: 'end' };

/** Limits of the history, so that a page and its server stay small however long the event is. */
export const PAGE_TEXT_LIMITS = {
  paragraphs: 2000,
  /** Some three hours of speech. */
  characters: 200_000,
} as const;

export const emptyPageText: PageText = { paragraphs: [], first: 0, live: 0, tail: '', isOver: false };

/** Applies a change to the text of a page. Pure. */
export function nextPageText(text: PageText, change: PageChange): PageText {
  switch (change.type) {
    case 'begin': {
      const { kind, text: words } = change;
      const next = { ...text, paragraphs: [...text.paragraphs, { kind, text: words }], tail: '' };
      return withinLimits({ ...next, isOver: false });
    }
    case 'add': {
      const last = text.paragraphs.at(-1);
      if (!last) return nextPageText(text, { type: 'begin', kind: 'speech', text: change.text });
      const longer = { ...last, text: `${last.text} ${change.text}`.trimStart() };
      // Not with(): older browsers, such as those of broadcast tools, lack it.
      const paragraphs = [...text.paragraphs.slice(0, -1), longer];
      return { ...text, paragraphs, tail: '', isOver: false };
    }
    case 'finish': {
      const index = change.number - text.first;
      const inFinalForm = (paragraph: PageParagraph, at: number) =>
        at === index ? { ...paragraph, text: change.text } : paragraph;
      return { ...text, paragraphs: text.paragraphs.map(inFinalForm) };
    }
    case 'tail':
      return { ...text, tail: change.text };
    case 'clear':
      return { ...text, live: endOf(text), tail: '' };
    case 'off':
      return { ...emptyPageText, first: endOf(text), live: endOf(text) };
    case 'end':
      return { ...text, tail: '', isOver: true };
  }
}

/** Returns the number after that of the last paragraph. */
function endOf({ first, paragraphs }: PageText): number {
  return first + paragraphs.length;
}

/** Removes a tenth of the history when it is too long, as removing one paragraph at a time would copy the list each time. */
function withinLimits(text: PageText): PageText {
  const { paragraphs, first } = text;
  const most = PAGE_TEXT_LIMITS;
  let characters = paragraphs.reduce((sum, paragraph) => sum + paragraph.text.length, 0);
  if (paragraphs.length <= most.paragraphs && characters <= most.characters) return text;
  let removed = 0;
  for (const paragraph of paragraphs.slice(0, -1)) {
    const left = paragraphs.length - removed;
    if (left <= most.paragraphs * 0.9 && characters <= most.characters * 0.9) break;
    characters -= paragraph.text.length;
    removed++;
  }
  return {
    ...text,
    paragraphs: paragraphs.slice(removed),
    first: first + removed,
    live: Math.max(text.live, first + removed),
  };
}

/** Captions of the server, for a choice. */
export interface PageChoice {
  /** Last part of the page's path; empty for its root. */
  readonly name: string;
  readonly title: string;
  /** Language tag; empty when it is not known. */
  readonly language: string;
}

/**
 * Message of the event `hello`, the first one of a connection. An event `text` with a {@link PageText} follows, unless the
 * connection continues an earlier one.
 */
export interface PageHello extends PageChoice {
  /** Milliseconds on the server's clock. */
  readonly now: number;
  /** Address of the page for other devices. */
  readonly address: string;
  readonly choices: readonly PageChoice[];
}

/** Message of the event `change`. */
export interface PageUpdate {
  /** Milliseconds on the server's clock at which the changes were made. */
  readonly at: number;
  readonly changes: readonly PageChange[];
}

/**
 * Milliseconds between two `ping` events, by which a page notices a lost connection. Their message is an id, which the page
 * returns (`events/ID`) to show that it reads.
 */
export const PING_MS = 15_000;

/** Longest delay that a viewer can choose, in seconds; the server keeps changes for that long. */
export const MAX_VIEWER_DELAY_SECONDS = 60;
