/** A waiting line in which accounts take turns; those who wait for one account are in the order of their arrival. */
export interface WaitingLine<T> {
  readonly size: number;
  /** The next in turn. */
  readonly first: T | undefined;
  add(accountId: string, item: T): void;
  /** Removes an item. One that was served ends the turn of its account. */
  remove(accountId: string, item: T, options: { readonly served: boolean }): void;
}

export function createWaitingLine<T>(): WaitingLine<T> {
  /** Items by account, in the order of turns. */
  const accounts = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    get first() {
      const [items] = accounts.values();
      return items?.[0];
    },
    add(accountId, item) {
      const items = accounts.get(accountId);
      if (items) items.push(item);
      else accounts.set(accountId, [item]);
      size += 1;
    },
    remove(accountId, item, { served }) {
      const items = accounts.get(accountId) ?? [];
      const rest = items.filter(each => each !== item);
      size -= items.length - rest.length;
      if (served || rest.length === 0) accounts.delete(accountId);
      if (rest.length > 0) accounts.set(accountId, rest);
    },
  };
}
