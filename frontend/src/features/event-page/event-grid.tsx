import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

export const COLUMNS =
  'page grid grid-cols-1 gap-6 py-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-12 lg:py-10';

interface EventGridProps {
  /** Above both columns: the canceled or postponed banner, the live stream. */
  top: ReactNode;
  article: ReactNode;
  /** Beside the article if there is room, otherwise below it. */
  side: ReactNode;
  children?: ReactNode;
}

/** The layout of the event page. */
export const EventGrid = ({ top, article, side, children }: EventGridProps) => (
  <div className={cx(COLUMNS, top ? 'lg:grid-rows-[auto_auto_1fr]' : 'lg:grid-rows-[auto_1fr]')}>
    {top && <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:col-span-2">{top}</div>}
    {article}
    <div className="grid grid-cols-1 gap-4 lg:sticky lg:top-[calc(var(--below-header)+2rem)] lg:row-span-2">{side}</div>
    {children}
  </div>
);
