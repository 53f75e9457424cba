import { ContentKind } from '@beltway/contracts/identity/moderation';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queueQuery, type CaseState } from '../../features/moderation/api.ts';
import { CaseCard } from '../../features/moderation/case-card.tsx';
import { texts as queueTexts } from '../../features/moderation/queue.texts.en.ts';
import { texts } from '../../features/moderation/texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** The queue of reported content, for admins (services/identity/PRODUCT.md#moderation). */
export function Component() {
  const t = useTexts(queueTexts);
  const say = useTexts(texts);
  usePageTitle(t('title'));
  const [state, setState] = useState<CaseState>('open');
  const [kind, setKind] = useState<ContentKind | ''>('');
  const heading = useRef<HTMLHeadingElement>(null);
  const found = useInfiniteQuery(queueQuery(state, kind));
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const cases = found.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title={t('title')}
      actions={
        <div className="flex flex-wrap gap-3">
          <Field label={t('show')}>
            <Select value={state} onChange={({ target }) => setState(target.value as CaseState)}>
              <option value="open">{t('reported')}</option>
              <option value="appealed">{t('appealed')}</option>
              <option value="acted">{t('decided')}</option>
            </Select>
          </Field>
          <Field label={t('type')}>
            <Select value={kind} onChange={({ target }) => setKind(target.value as ContentKind | '')}>
              <option value="">{t('all')}</option>
              {ContentKind.options.map((value) => (
                <option key={value} value={value}>
                  {say(value)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      }
      heading={heading}
    >
      <PagedList
        found={found}
        items={cases}
        what={t('what')}
        skeleton={{ className: 'h-56', of: 'cards' }}
        empty={<EmptyState title={t(`${state}None`)}>{t(`${state}NoneWhy`)}</EmptyState>}
      >
        {(listed) => (
          <ul className="grid gap-4">
            {listed.map((one) => (
              <li key={one.id}>
                <CaseCard found={one} onDone={() => heading.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
