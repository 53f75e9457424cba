import { LONGEST_SEARCH } from '@beltway/contracts/catalog/search-length';
import Search from 'lucide-react/icons/search';
import { useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { HERO_SEARCH_ID } from '../../layout/focus-search.ts';
import { buttonClass } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';

const QUICK = [
  ['tonight', '/?when=tonight'],
  ['tomorrow', '/?when=tomorrow'],
  ['weekend', '/?when=weekend'],
  ['free', '/?free=1'],
] as const;

interface HeroProps {
  /** Undefined until the script runs; until then, the form submits to the server. */
  onSearch?: (words: string) => void;
  /** Current and upcoming events. */
  children: ReactNode;
}

/**
 * The headline, a second search field, and the current events. The section has no box of its own, so that the field
 * stays in view until the page's search bar replaces it.
 */
export function Hero({ onSearch, children }: HeroProps) {
  const t = useTexts(texts);
  const field = useRef<HTMLInputElement>(null);
  return (
    <section aria-label={t('welcome')} className="contents">
      <div className="page pt-11 pb-1 max-[15rem]:pt-24 lg:pt-12">
        <h1 className="text-heading">{t('headline')}</h1>
        <p className="sr-only">{t('lead')}</p>
      </div>
      <div className="sticky top-(--below-header) z-20 bg-ground py-2">
        <form
          role="search"
          aria-label={t('quickSearch')}
          action="/"
          className="page flex items-center gap-2"
          onSubmit={(press) => {
            press.preventDefault();
            field.current?.focus();
          }}
        >
          <div className="relative min-w-0 flex-1">
            <Search
              aria-hidden
              className="pointer-events-none absolute start-4.5 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
            />
            <input
              ref={field}
              id={HERO_SEARCH_ID}
              name="q"
              type="search"
              role="searchbox"
              aria-label={t('quickSearch')}
              placeholder={t('quickHint')}
              autoComplete="off"
              enterKeyHint="search"
              maxLength={LONGEST_SEARCH}
              {...(onSearch && { onInput: (typing) => onSearch(typing.currentTarget.value) })}
              className="h-12 w-full rounded-full border border-edge bg-surface ps-12 pe-4 text-body placeholder:text-ink-soft hover:border-ink-soft md:h-14"
            />
          </div>
          <button type="submit" className={buttonClass('primary', 'h-12 shrink-0 max-sm:w-12 max-sm:px-0 md:h-14')}>
            <Search aria-hidden className="size-5 sm:hidden" />
            <span className="max-sm:sr-only">{t('find')}</span>
          </button>
        </form>
      </div>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-3 pb-5">
        <nav
          aria-label={t('quickDays')}
          className="-mx-4 flex gap-2 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:px-0 xl:-mt-30 xl:mb-16 xl:items-start xl:justify-self-end xl:self-start"
        >
          {QUICK.map(([name, to]) => (
            <Link
              key={name}
              to={to}
              className="inline-flex min-h-11 shrink-0 items-center rounded-full border border-edge/70 bg-surface px-3.5 font-strong whitespace-nowrap hover:border-ink"
            >
              {t(name)}
            </Link>
          ))}
        </nav>
        {children}
      </div>
    </section>
  );
}
