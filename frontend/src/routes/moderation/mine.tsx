import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ownCasesQuery } from '../../features/moderation/api.ts';
import { texts } from '../../features/moderation/mine.texts.en.ts';
import { OwnCaseCard } from '../../features/moderation/own-case.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Decisions about the user's content, and appeals (services/identity/PRODUCT.md#moderation). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(ownCasesQuery());
  const cases = found.data?.pages.flatMap(({ items }) => items);
  return (
    <Page title={t('title')} width="text" heading={heading}>
      <PagedList
        found={found}
        items={cases}
        what={t('what')}
        skeleton={{ className: 'h-40', of: 'cards' }}
        empty={<EmptyState title={t('none')}>{t('noneWhy')}</EmptyState>}
      >
        {(listed) => (
          <ul className="grid gap-4">
            {listed.map((one) => (
              <li key={one.id}>
                <OwnCaseCard found={one} onDone={() => heading.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
