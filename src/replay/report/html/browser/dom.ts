/**
 * The part of the document that the script of a page uses. The types of browsers are not loaded, because they would
 * change `fetch` and streams for the whole program.
 */
export interface PageDocument extends PageParent {
  getElementById(id: string): PageElement | null;
  createElement(tag: string): PageElement;
  createElementNS(namespace: string, tag: string): PageElement;
}

interface PageParent {
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
}

export interface PageElement extends PageParent {
  textContent: string;
  className: string;
  hidden: boolean;
  tabIndex: number;
  title: string;
  dir: string;
  scrollLeft: number;
  readonly clientWidth: number;
  readonly dataset: Record<string, string | undefined>;
  readonly classList: {
    add(...names: string[]): void;
    toggle(name: string, isOn?: boolean): boolean;
    remove(...names: string[]): void;
  };
  readonly style: { setProperty(name: string, value: string): void };
  readonly children: ArrayLike<PageElement>;
  append(...children: (PageElement | string)[]): void;
  replaceChildren(...children: (PageElement | string)[]): void;
  remove(): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  focus(options?: { preventScroll: boolean }): void;
  getBoundingClientRect(): { readonly left: number; readonly width: number };
}

export interface PageAudio extends PageElement {
  src: string;
  controls: boolean;
  preload: string;
  currentTime: number;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
}

export interface PageDetails extends PageElement {
  readonly open: boolean;
}

export interface PageCheckbox extends PageElement {
  readonly checked: boolean;
}

export interface PageEvent {
  readonly target: PageElement;
  readonly key: string;
  readonly clientX: number;
  preventDefault(): void;
}
