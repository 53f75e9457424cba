import { useEffect } from 'react';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

/** Names the page for the tab, the history and the screen reader's announcement of a new page; null: the site's own name. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    const t = textsNow(texts);
    document.title = title === null ? t('siteTitle') : t('pageTitle', { title });
  }, [title]);
}
