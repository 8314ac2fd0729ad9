/** Makes an element with a class and text or children. Text is never parsed as markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Element | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

/** Makes a button. */
export function makeButton(label: string, name: string, onClick: () => void): HTMLElement {
  const button = make('button', 'tool', label);
  button.type = 'button';
  button.setAttribute('aria-label', name);
  button.title = name;
  button.addEventListener('click', onClick);
  return button;
}

/** Makes an SVG element with attributes. */
export function makeSvg(tag: string, attributes: Readonly<Record<string, string>>): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Returns the element of a selector in which an event has happened. */
export function targetOf({ target }: Event, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}

/** Parses the data of a script element of the page; undefined when it does not exist. */
export function dataOf<T>(id: string): T | undefined {
  const element = document.getElementById(id);
  return element ? (JSON.parse(element.textContent) as T) : undefined;
}

/** Formats seconds as `1:02.3`. */
export function clockTenths(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 0.001);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest < 10 ? '0' : ''}${rest.toFixed(1)}`;
}

/** Places an element by its share of the whole time, from left to right. */
export function placeAcross(element: HTMLElement, ts: number, endTs: number, seconds: number): HTMLElement {
  element.style.setProperty('left', `${(100 * ts) / seconds}%`);
  element.style.setProperty('width', `${(100 * Math.max(0, endTs - ts)) / seconds}%`);
  return element;
}
