import { setTimeout } from 'node:timers/promises';
import { emptyPageText, type PageText } from '../../../src/captions/outputs/page/pageText.ts';
import { connectViewer } from '../../captions/outputs/page/pageClient.ts';

const RETRY_MS = 200;

/** Viewers of a page that comes and goes. */
export interface PageViewers extends AsyncDisposable {
  /** Milliseconds until those who came late had all text. */
  readonly joinMs: readonly number[];
  /** Late viewers whose text was not that of the one who stayed. */
  readonly wrong: number;
  /** Texts that the viewer who stayed has seen, one for each process that served the page. */
  texts(): readonly PageText[];
  /** Keeps what was seen so far, as the page is about to remove it. */
  keep(): void;
  /** Lets another viewer come, look and leave. */
  visit(): Promise<void>;
}

/** Connects a viewer who stays, and connects again whenever the page is back. */
export function watchPage(url: string): PageViewers {
  const joinMs: number[] = [];
  const texts = new Map<string, PageText>();
  const isOver = new AbortController();
  let wrong = 0;
  let viewer: Awaited<ReturnType<typeof connectViewer>> | undefined;
  /** Processes whose page has removed its text. */
  const removed = new Set<string>();
  const keep = () => {
    const id = viewer?.lastId && processOf(viewer.lastId);
    if (id && viewer && !removed.has(id)) texts.set(id, viewer.text);
    return id;
  };
  const watching = (async () => {
    while (!isOver.signal.aborted) {
      const before = viewer && { lastId: viewer.lastId, text: viewer.text };
      const next = await connectViewer(url, before).catch(() => undefined);
      if (next) {
        viewer = next;
        await Promise.race([next.ended, aborted(isOver.signal)]);
        keep();
        await next.close();
      }
      await setTimeout(RETRY_MS);
    }
  })();
  return {
    joinMs,
    get wrong() {
      return wrong;
    },
    texts() {
      keep();
      return [...texts.values()];
    },
    keep: () => void removed.add(keep() ?? ''),
    async visit() {
      const sinceMs = performance.now();
      const late = await connectViewer(url).catch(() => undefined);
      if (!late) return;
      while (!late.events.includes('text') && performance.now() - sinceMs < 5000) await setTimeout(1);
      joinMs.push(performance.now() - sinceMs);
      await setTimeout(Math.random() * 3000);
      // Both have read what was sent by now, or the page has gone meanwhile.
      await setTimeout(100);
      if (viewer && viewer.lastId === late.lastId && textOf(viewer.text) !== textOf(late.text)) wrong++;
      await late.close();
    },
    async [Symbol.asyncDispose]() {
      isOver.abort();
      await watching;
    },
  };
}

/** Returns the text of the history and the live area. */
export function textOf({ paragraphs }: PageText = emptyPageText): string {
  return paragraphs.map(({ text }) => text).join(' ');
}

const processOf = (id: string) => id.split(':')[0]!;

const aborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
