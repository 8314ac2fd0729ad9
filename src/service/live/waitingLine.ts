/** Creates a waiting line in which accounts take turns; the items of one account are in the order of their arrival. */
export function createWaitingLine<T>() {
  /** Items by account, in the order of turns. */
  const accounts = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    /** The next in turn. */
    get first(): T | undefined {
      const [items] = accounts.values();
      return items?.[0];
    },
    add(accountId: string, item: T): void {
      const items = accounts.get(accountId);
      if (items) items.push(item);
      else accounts.set(accountId, [item]);
      size += 1;
    },
    /** Removes an item. A served item ends the turn of its account. */
    remove(accountId: string, item: T, { served }: { readonly served: boolean }): void {
      const items = accounts.get(accountId) ?? [];
      const rest = items.filter(each => each !== item);
      size -= items.length - rest.length;
      if (served || rest.length === 0) accounts.delete(accountId);
      if (rest.length > 0) accounts.set(accountId, rest);
    },
  };
}
