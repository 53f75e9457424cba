import type { ReactNode } from 'react';
import { useTexts } from '../lib/i18n/catalog.ts';
import { useSession } from '../lib/session/session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageMessage } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { texts } from './texts.en.ts';

/**
 * Shown instead of a page that this account may not see. An admin without codes at sign-in gets a link to turn them on
 * instead.
 */
export function ForOthers({ title, children }: { title: string; children: ReactNode }) {
  const t = useTexts(texts);
  const isAdminWithoutCodes = useSession().user?.codesRequired === true;
  return (
    <PageMessage>
      {isAdminWithoutCodes ? (
        <EmptyState
          heading="h1"
          title={t('codesFirst')}
          action={<ButtonLink to="/account">{t('toAccount')}</ButtonLink>}
        >
          {t('codesFirstWhy')}
        </EmptyState>
      ) : (
        <EmptyState heading="h1" title={title} action={<ButtonLink to="/">{t('toFeed')}</ButtonLink>}>
          {children}
        </EmptyState>
      )}
    </PageMessage>
  );
}
