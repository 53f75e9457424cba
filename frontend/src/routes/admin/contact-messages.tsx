import { ContactMessages } from '@beltway/contracts/identity/contact';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MessageList } from '../../features/contact/message-list.tsx';
import { texts } from '../../features/contact/messages.texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { get, isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

type Status = 'open' | 'answered';

/** What people wrote by the contact form, for admins (services/identity/PRODUCT.md#contact). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const [status, setStatus] = useState<Status>('open');
  const found = useInfiniteQuery({
    queryKey: ['/api/contact-messages', status],
    queryFn: ({ pageParam, signal }) =>
      get(
        `/api/contact-messages?${new URLSearchParams({ status, ...(pageParam && { cursor: pageParam }) })}`,
        ContactMessages,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const messages = found.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title={t('title')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as Status)}>
            <option value="open">{t('notAnswered')}</option>
            <option value="answered">{t('answered')}</option>
          </Select>
        </Field>
      }
    >
      <PagedList
        found={found}
        items={messages}
        what={t('what')}
        skeleton={{ className: 'h-40', of: 'cards' }}
        empty={
          <EmptyState title={t(status === 'open' ? 'allAnswered' : 'noneAnswered')}>
            {t(status === 'open' ? 'allAnsweredWhy' : 'noneAnsweredWhy')}
          </EmptyState>
        }
      >
        {(listed) => <MessageList messages={listed} />}
      </PagedList>
    </Page>
  );
}
