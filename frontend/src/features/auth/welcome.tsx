import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Mark } from '../../ui/mark.tsx';
import { texts } from './texts.en.ts';

interface WelcomeProps {
  /** Shown above the reason. */
  notice?: ReactNode;
  /** The reason to sign in now; by default, the reasons to have an account. */
  reason?: string | null;
  /** The forms. */
  children?: ReactNode;
}

/** The layout of the sign-in page: the reasons beside the forms. */
export function Welcome({ notice, reason, children }: WelcomeProps) {
  const t = useTexts(texts);
  return (
    <div className="page grid grid-cols-1 items-start gap-x-20 gap-y-8 py-8 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
      <div className="lg:sticky lg:top-[calc(var(--below-header)+3rem)]">
        <h1 className="text-heading lg:text-display">{t('comeIn')}</h1>
        <p className="mt-3 max-w-[42ch] text-ink-soft lg:mt-5 lg:text-title lg:leading-normal">
          {notice}
          {reason ?? t('why')}
        </p>
        <Mark className="mt-14 hidden size-64 text-accent lg:block" />
      </div>
      {children}
    </div>
  );
}
