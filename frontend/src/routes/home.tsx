import { useEffect } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { EventFeed } from '../features/events/event-feed.tsx';
import { FeaturedStrip } from '../features/events/featured-strip.tsx';
import { isFiltering, readFilter, type EventFilter } from '../features/events/filter.ts';
import { SearchBar } from '../features/events/search-bar.tsx';
import { Hero } from '../features/home/hero.tsx';
import { StatsBanner } from '../features/home/stats-banner.tsx';
import { FEED_ID, focusSearch, SEARCH_ID } from '../layout/focus-search.ts';
import { useOpenDialog } from '../layout/header-dialogs.tsx';
import { usePageTitle } from '../lib/page-title.ts';

/** The feed. What is searched for stands in the address, so that it can be sent to a friend. */
export function Component() {
  usePageTitle('Beltway');
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const openDialog = useOpenDialog();
  const launch = () => openDialog('launch');
  useDiscover();

  const change = (wish: Partial<EventFilter>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(wish)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      // Letter by letter is no history.
      { replace: 'q' in wish, preventScrollReset: true },
    );

  return (
    <>
      {/* The banner comes when the sales are known: it lies over the hero's upper edge, so that nothing moves. */}
      <div className="relative">
        <StatsBanner />
        <Hero onSearch={focusSearch} onLaunch={launch} />
      </div>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-10">
        <SearchBar id={SEARCH_ID} filter={filter} onChange={change} />
        {!isFiltering(filter) && <FeaturedStrip onSubmitEvent={launch} />}
        <section id={FEED_ID} aria-label="Events">
          <EventFeed filter={filter} onClear={() => change({ q: '', tag: '', line: '' })} onSubmitEvent={launch} />
        </section>
      </div>
    </>
  );
}

/** "Discover" pressed on another page: the search box is here now. */
function useDiscover(): void {
  const { state } = useLocation() as { state: { focusSearch?: boolean } | null };
  const wanted = state?.focusSearch === true;
  useEffect(() => {
    if (wanted) requestAnimationFrame(focusSearch);
  }, [wanted]);
}
