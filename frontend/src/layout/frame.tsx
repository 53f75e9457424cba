import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../lib/i18n/catalog.ts';
import { Mark } from '../ui/mark.tsx';
import { toastStrip } from '../ui/toast.ts';
import { texts } from './texts.en.ts';

/** Header, page and footer in a column. */
export const FRAME = 'flex min-h-dvh flex-col';
/** The page, at least a screen high, so that the footer does not jump while a page loads. */
export const MAIN = 'min-h-[calc(100dvh-4rem)] flex-1 overflow-x-clip outline-none';
/** The bar at the bottom of small screens, within reach of the thumb. */
export const BOTTOM_BAR =
  'fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-ground pb-[env(safe-area-inset-bottom)] md:hidden print:hidden';

/** The bar at the top of every page, with the brand, the page's additions, and the strip for toasts below them. */
export function HeaderBar({ children }: { children?: ReactNode }) {
  const t = useTexts(texts);
  return (
    <header className="print:hidden sticky top-0 z-30 border-b border-line bg-ground">
      <div className="page flex h-16 items-center gap-2">
        <Link
          to="/"
          className="me-3 flex min-h-11 items-center gap-2 font-display max-[22rem]:me-0 text-title font-strong tracking-tight"
        >
          <Mark className="size-7 text-accent-ink" />
          <span className="max-[15rem]:sr-only">{t('brand')}</span>
        </Link>
        {children}
      </div>
      <div ref={toastStrip} data-toasts className="page" />
    </header>
  );
}
