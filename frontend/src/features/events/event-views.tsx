import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';

interface EventViewsProps<View extends string> {
  view: View;
  onView: (view: View) => void;
  views: readonly { view: View; label: string; icon: ReactNode }[];
  children: ReactNode;
}

/**
 * Tabs for the views of the same events; arrow keys switch between them. Uses no tab library, to keep the home page's
 * first load small.
 */
export function EventViews<View extends string>({ view, onView, views, children }: EventViewsProps<View>) {
  const t = useTexts(texts);
  const list = useRef<HTMLDivElement>(null);
  const move = (press: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[press.key];
    if (!step) return;
    press.preventDefault();
    const at = views.findIndex((one) => one.view === view);
    const next = (at + step + views.length) % views.length;
    onView(views[next]!.view);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={t('howToSee')}
        className="mb-4 inline-flex max-w-full flex-wrap gap-1 rounded-[1.65rem] bg-sunken p-1"
      >
        {views.map(({ view: one, label, icon }) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === view}
            aria-controls="event-view"
            tabIndex={one === view ? 0 : -1}
            onClick={() => onView(one)}
            onKeyDown={move}
            className={cx(
              'inline-flex min-h-11 items-center gap-2 rounded-full px-4 font-strong transition-colors duration-(--duration-fast) max-[22rem]:px-3 [&_svg]:size-4.5 max-[22rem]:[&_svg]:hidden',
              one === view ? 'bg-raised text-ink shadow-card' : 'text-ink-soft hover:text-ink',
            )}
          >
            {icon}
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="event-view" aria-labelledby={`tab-${view}`}>
        {children}
      </div>
    </>
  );
}
