import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Button } from '../../ui/button.tsx';
import { blocksQuery, unblockPerson, useShownPosts } from './posts-api.ts';
import { useNames } from './person.ts';
import { texts } from './shared.texts.en.ts';

/** The accounts that a reader blocks, with buttons to unblock (services/realtime/PRODUCT.md#posts). */
export function BlockedPeople() {
  const t = useTexts(texts);
  const nameOf = useNames();
  const queries = useQueryClient();
  const shown = useShownPosts();
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(blocksQuery());
  const people = found.data?.pages.flatMap(({ items }) => items);
  const unblock = useMutation({
    mutationFn: unblockPerson,
    onSuccess: () => heading.current?.focus(),
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: blocksQuery().queryKey }), shown.refresh()]),
  });
  return (
    <section aria-labelledby="blocked-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 ref={heading} id="blocked-title" tabIndex={-1} className="text-title outline-none">
        {t('blockedPeople')}
      </h2>
      <PagedList
        found={found}
        items={people}
        what={t('whatBlocked')}
        skeleton={{ className: 'h-12', of: 'rows' }}
        empty={<p className="text-ink-soft">{t('noneBlocked')}</p>}
      >
        {(listed) => (
          <ul className="grid divide-y divide-line">
            {listed.map(({ userId, userName, at }) => (
              <li key={userId} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0">
                  <p className="font-strong wrap-anywhere">
                    <bdi>{nameOf({ userName })}</bdi>
                  </p>
                  <p className="text-note text-ink-soft">{t('since', { when: formatMoment(at) })}</p>
                </div>
                <Button
                  variant="secondary"
                  aria-label={t('unblockOne', { name: nameOf({ userName }) })}
                  pending={unblock.isPending && unblock.variables === userId}
                  disabled={unblock.isPending}
                  onClick={() => unblock.mutate(userId)}
                >
                  {t('unblock')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <p role="status" className="sr-only">
        {unblock.isSuccess && t('unblocked')}
      </p>
      {unblock.error && (
        <p role="alert" className="text-danger-ink">
          {explain(unblock.error)}
        </p>
      )}
    </section>
  );
}
