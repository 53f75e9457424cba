import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messagesQuery, type MessageStatus } from '../../features/contact/api.ts';
import { MessageList } from '../../features/contact/message-list.tsx';
import { texts } from '../../features/contact/messages.texts.en.ts';
import { AdminsOnly } from '../../layout/admins-only.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { isForbidden } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Messages from the contact form, for admins (services/identity/PRODUCT.md#contact). */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('title'));
  const [status, setStatus] = useState<MessageStatus>('open');
  const found = useInfiniteQuery(messagesQuery(status));
  if (isForbidden(found.error)) return <AdminsOnly>{t('adminsOnly')}</AdminsOnly>;
  const messages = found.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title={t('title')}
      actions={
        <Field label={t('show')}>
          <Select value={status} onChange={({ target }) => setStatus(target.value as MessageStatus)}>
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
