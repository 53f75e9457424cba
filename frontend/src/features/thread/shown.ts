import { useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';

interface Shown<Item, One> {
  /** The first element of all query keys of these items. `[root, 'list', …]` are pages of lists. */
  root: string;
  /** The query key of one item's own page. */
  keyOf: (id: number) => QueryKey;
  /** Changes the item in the data of the item's own page. */
  changeOne: (data: One, changed: (item: Item) => Item) => One;
}

/** Changes items in all cached lists and on the page of a single item. */
export function useShown<Item extends { id: number }, One>({ root, keyOf, changeOne }: Shown<Item, One>) {
  const queries = useQueryClient();
  const lists = { queryKey: [root, 'list'] };
  const changeLists = (changed: (items: Item[]) => Item[]) =>
    queries.setQueriesData<InfiniteData<{ items: Item[] }>>(
      lists,
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: changed(page.items) })) },
    );
  return {
    /** Cancels running requests for lists, so that their responses do not undo a local change. */
    hold: () => queries.cancelQueries(lists),
    change(id: number, changed: (item: Item) => Item): void {
      changeLists((items) => items.map((item) => (item.id === id ? changed(item) : item)));
      queries.setQueryData<One>(keyOf(id), (data) => data && changeOne(data, changed));
    },
    remove: (isGone: (item: Item) => boolean) => changeLists((items) => items.filter((item) => !isGone(item))),
    /** Refetches all queries of these items that are shown. */
    refresh: () => queries.invalidateQueries({ queryKey: [root] }),
  };
}
