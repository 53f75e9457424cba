import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { textsNow } from '../i18n/catalog.ts';
import { explain } from '../http/http.ts';
import { texts } from '../i18n/texts.en.ts';

interface PagedListProps<Item> {
  /** The query and its items. The items are undefined until the first page is loaded. */
  found: UseInfiniteQueryResult<unknown>;
  items: readonly Item[] | undefined;
  /** What the items are called within a sentence, such as `ads`. */
  what: string;
  /** The skeleton of one item; two cards or three rows are shown while loading. */
  skeleton: { className: string; of: 'cards' | 'rows' };
  /** Shown when there are no items. */
  empty: ReactNode;
  more?: string;
  children: (items: readonly Item[]) => ReactNode;
}

/** A paged list: loading, an error, empty, or the items with a button for more. */
export function PagedList<Item>({ found, items, what, skeleton, empty, more, children }: PagedListProps<Item>) {
  const t = textsNow(texts);
  if (found.isPending) {
    const areCards = skeleton.of === 'cards';
    return (
      <Loading label={t('listLoading', { what })} className={cx('grid', areCards ? 'gap-4' : 'gap-2')}>
        {Array.from({ length: areCards ? 2 : 3 }, (_, at) => (
          <Skeleton key={at} className={cx(skeleton.className, areCards && 'rounded-lg')} />
        ))}
      </Loading>
    );
  }
  if (!items)
    return (
      <ErrorState
        title={t('listNotLoaded', { what })}
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    );
  if (items.length === 0 && !found.hasNextPage) return empty;
  return (
    <>
      {children(items)}
      {found.isFetchNextPageError && <ErrorState title={t('nextNotLoaded')} message={explain(found.error)} />}
      {found.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          pending={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {more ?? t('showMore')}
        </Button>
      )}
    </>
  );
}
