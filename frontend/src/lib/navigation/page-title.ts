import { useEffect } from 'react';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

/** Sets the title for the tab, the history and screen readers; null sets the site's name. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    const t = textsNow(texts);
    document.title = title === null ? t('siteTitle') : t('pageTitle', { title });
  }, [title]);
}
