import type { ReactNode } from 'react';
import { useTexts } from '../lib/i18n/catalog.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageMessage } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { texts } from './texts.en.ts';

/** In place of a page for admins; `children` says what admins do there. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <PageMessage>
      <EmptyState heading="h1" title={t('forAdmins')} action={<ButtonLink to="/">{t('toFeed')}</ButtonLink>}>
        {children}
      </EmptyState>
    </PageMessage>
  );
}
