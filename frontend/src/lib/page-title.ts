import { useEffect } from 'react';

/** Names the page for the tab, the history and the screen reader's announcement of a new page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title =
      title === 'Beltway' ? 'Beltway: what is on around DC, Maryland and Virginia' : `${title} · Beltway`;
  }, [title]);
}
