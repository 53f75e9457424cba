import { morningOf } from '@beltway/contracts/common/day-ranges';
import { dayAt } from '@beltway/contracts/common/times';
import { useQuery } from '@tanstack/react-query';
import CalendarDays from 'lucide-react/icons/calendar-days';
import List from 'lucide-react/icons/list';
import Map from 'lucide-react/icons/map';
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { EventFeed } from '../../features/events/event-feed.tsx';
import { EventViews } from '../../features/events/event-views.tsx';
import { FeaturedStrip } from '../../features/events/featured-strip.tsx';
import { HappeningNow, useNowOn } from '../../features/events/happening-now.tsx';
import { HERE, isFiltering, NO_FILTER, readFilter, searchOf, type EventFilter } from '../../features/events/filter.ts';
import { SearchBar } from '../../features/events/search-bar.tsx';
import { ComingUpNow } from '../../features/home/coming-up-now.tsx';
import { Hero } from '../../features/home/hero.tsx';
import { useHomeAds } from '../../features/home/sponsored.tsx';
import { StatsBanner } from '../../features/home/stats-banner.tsx';
import { texts } from '../../features/home/texts.en.ts';
import { CARDS_ID, FEED_ID, focusSearch, HERO_SEARCH_ID, SEARCH_ID } from '../../layout/focus-search.ts';
import { useIsBusiness } from '../../layout/account.ts';
import { useOpenDialog } from '../../layout/header-dialogs.tsx';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { useClock } from '../../lib/time/clock.ts';
import { positionProblem, useDevicePosition, type DevicePosition } from '../../lib/browser/device-position.ts';
import { promotedEventsQuery } from '../../lib/events/event-queries.ts';
import { Later, useInPieces } from '../../lib/events/later.tsx';
import { lazily, nothing } from '../../lib/loading/lazily.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { cx } from '../../ui/cx.ts';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { Loading } from '../../ui/states.tsx';

const LaunchBanner = lazily(async () => (await import('../../features/home/launch-banner.tsx')).LaunchBanner, nothing);
const promos = () => import('../../features/home/promos.tsx');
const PremiumAdPromo = lazily(async () => (await promos()).PremiumAdPromo, nothing);
const DiscountBanner = lazily(async () => (await promos()).DiscountBanner, nothing);
const AdBanner = lazily(async () => (await promos()).AdBanner, nothing);
const SecondAd = lazily(async () => (await promos()).SecondAd, nothing);
const WeatherCard = lazily(async () => (await import('../../features/weather/weather-card.tsx')).WeatherCard, nothing);
const ChatSection = lazily(async () => (await import('../../features/chat/chat-section.tsx')).ChatSection, nothing);
const TopPicks = lazily(async () => (await import('../../features/top-picks/top-picks.tsx')).TopPicks, nothing);
const LiveStreams = lazily(async () => (await import('../../features/live/live-streams.tsx')).LiveStreams, nothing);
const StatTiles = lazily(async () => (await import('../../features/home/stat-tiles.tsx')).StatTiles, nothing);
const EventCalendar = lazily(
  async () => (await import('../../features/events/event-calendar.tsx')).EventCalendar,
  () => <NotLoaded what={textsNow(texts)('theCalendar')} />,
);
const SellerButtons = lazily(
  async () => (await import('../../features/home/seller-buttons.tsx')).SellerButtons,
  nothing,
);
const EventMap = lazily(
  async () => (await import('../../features/events/event-map.tsx')).EventMap,
  () => <NotLoaded what={textsNow(texts)('theMap')} />,
);

/** The views of the same events, as named in the URL (`?view=map`). */
const VIEWS = [
  { view: 'list', icon: <List aria-hidden /> },
  { view: 'map', icon: <Map aria-hidden /> },
  { view: 'calendar', icon: <CalendarDays aria-hidden /> },
] as const;
type View = (typeof VIEWS)[number]['view'];

/** The home page with the feed. The URL contains the search, so that it can be shared. */
export function Component() {
  usePageTitle(null);
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const filter = readFilter(params);
  const openDialog = useOpenDialog();
  const launch = () => openDialog('launch');
  const contact = () => openDialog('contact');
  useDiscover();
  const inPieces = useInPieces();
  const ads = useHomeAds();

  const device = usePositionFor(filter);
  // "Tonight" ends in the morning, other days at midnight.
  const now = useClock([morningOf(dayAt(new Date(serverNow()))).getTime()]);
  const search = searchOf(filter, device.at ?? null, now);

  const filtering = isFiltering(filter);
  const keepSearchInPlace = useSearchInPlace(filtering);
  const change = (wish: Partial<EventFilter>, { replace = false } = {}) => {
    keepSearchInPlace();
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(wish)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      // Typing creates one history entry, not one per character, so that Back undoes the whole word.
      { replace: replace || (Object.keys(wish).join() === 'q' && filter.q !== ''), preventScrollReset: true },
    );
  };

  const clear = () => change(NO_FILTER);

  const view: View = VIEWS.find((one) => one.view === params.get('view'))?.view ?? 'list';
  const mapInView = useOpenAt(view);
  const setView = (wanted: View) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (wanted === 'list') next.delete('view');
        else next.set('view', wanted);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const isBusiness = useIsBusiness();
  const featuredIsOpen = useFeaturedIsOpen();
  const nowOn = useNowOn();
  const happening = <HappeningNow on={nowOn} impressions={ads.impressions} />;
  const featured = <FeaturedStrip onSubmitEvent={launch} impressions={ads.impressions} />;
  const searchFromHero = (q: string) => {
    takeFocus(SEARCH_ID);
    change({ q });
  };
  return (
    <>
      {filtering ? (
        <div className="pb-2">
          <StatsBanner />
          <h1 className="sr-only">{t('allEvents')}</h1>
        </div>
      ) : (
        // The banner appears once the sales figures are loaded. It overlaps the hero's upper edge, so the layout does
        // not shift.
        <div className="relative">
          <StatsBanner />
          <Hero onSearch={searchFromHero}>
            <ComingUpNow />
          </Hero>
          <div className={cx('page flex flex-col gap-4 pb-2', featuredIsOpen && '[&>:not(:first-child)]:invisible')}>
            {featured}
            <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
              <Suspense fallback={<div className="h-40 md:h-19" />}>
                <PremiumAdPromo onContact={contact} />
                <DiscountBanner ads={ads} />
              </Suspense>
            </div>
            <Later inPieces={inPieces}>
              <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:has-[>:first-child[data-folded]]:grid-cols-2">
                <Suspense fallback={<div data-folded className="h-14" />}>
                  <ChatSection room="region" folded />
                </Suspense>
                <Suspense fallback={<div className="h-18" />}>
                  <AdBanner ads={ads} />
                </Suspense>
              </div>
              <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
                <Suspense
                  fallback={
                    <Loading label={t('loadingWeather')} className="min-h-56 rounded-lg border border-line md:min-h-29">
                      {null}
                    </Loading>
                  }
                >
                  <WeatherCard />
                </Suspense>
                <Suspense fallback={<div className="min-h-11" />}>
                  <TopPicks />
                </Suspense>
              </div>
            </Later>
          </div>
        </div>
      )}
      {/* While filtering, results come first and all other content is hidden. */}
      <div className="page flex flex-col gap-4">
        <Later inPieces={inPieces}>
          <SearchBar id={SEARCH_ID} filter={filter} onChange={change} onClear={clear} position={device.at ?? null} />
          <PositionNotice device={device} />
          {!filtering && (
            <>
              <Suspense fallback={<div className="h-23 md:h-15" />}>
                <LaunchBanner onLaunch={launch} onContact={contact} />
              </Suspense>
              <Suspense>
                <LiveStreams chat={({ id, title }) => <ChatSection key={id} room={String(id)} of={title} folded />} />
              </Suspense>
              <Suspense>
                <StatTiles />
              </Suspense>
            </>
          )}
          <Later inPieces={inPieces}>
            <section id={FEED_ID} ref={mapInView} aria-label={t('allEvents')} className="scroll-mt-36">
              <h2 className="sr-only">{t('whatIsOn')}</h2>
              <EventViews view={view} onView={setView} views={VIEWS.map((one) => ({ ...one, label: t(one.view) }))}>
                {view === 'map' ? (
                  <Suspense fallback={<Loading label={t('loadingMap')}>{null}</Loading>}>
                    <EventMap search={search} />
                  </Suspense>
                ) : view === 'calendar' ? (
                  <Suspense fallback={<Loading label={t('loadingCalendar')}>{null}</Loading>}>
                    <EventCalendar search={search} />
                  </Suspense>
                ) : (
                  <>
                    {!filtering && happening}
                    <div id={CARDS_ID} tabIndex={-1} className="scroll-mt-36 outline-none">
                      <EventFeed
                        filter={filter}
                        search={search}
                        onClear={clear}
                        onSubmitEvent={launch}
                        above={filtering ? [] : [...nowOn.promoted, ...nowOn.others]}
                      />
                    </div>
                  </>
                )}
              </EventViews>
              {/* Paid promotions appear in every view. */}
              {view !== 'list' && !filtering && <div className="mt-6">{happening}</div>}
            </section>
            {filtering ? (
              featured
            ) : (
              <Suspense fallback={<div className="h-18" />}>
                <SecondAd ads={ads} onLaunch={launch} />
              </Suspense>
            )}
          </Later>
        </Later>
      </div>
      <Suspense>{isBusiness && <SellerButtons />}</Suspense>
    </>
  );
}

/** Waits until the hero's field is removed, then focuses the field with the cursor at the end of its text. */
function takeFocus(id: string, tries = 60): void {
  requestAnimationFrame(() => {
    const field = document.getElementById(id) as HTMLInputElement | null;
    if (!field || document.getElementById(HERO_SEARCH_ID)) return tries > 0 ? takeFocus(id, tries - 1) : undefined;
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
  });
}

/** Time in milliseconds during which content above the events may still load. */
const SETTLES_MS = 4_000;

/**
 * Scrolls to the events if the URL names a view (`/?view=map`), and keeps that position while the content above loads.
 * Returns a `ref` for the events.
 */
function useOpenAt(view: View): (section: HTMLElement | null) => void {
  const isWanted = useRef(view !== 'list');
  return useCallback((section) => {
    if (!section || !isWanted.current) return;
    isWanted.current = false;
    const aim = () => section.scrollIntoView({ behavior: 'instant' });
    aim();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(aim);
    const stop = () => observer.disconnect();
    observer.observe(document.body);
    for (const act of ['wheel', 'pointerdown', 'keydown']) addEventListener(act, stop, { once: true, passive: true });
    setTimeout(stop, SETTLES_MS);
  }, []);
}

/** Maximum time in milliseconds that the page waits for the strip of featured events. */
const STRIP_MS = 2_000;

/**
 * True while it is unknown whether there is a strip of featured events. The page waits, because the content below would
 * jump.
 */
function useFeaturedIsOpen(): boolean {
  const { isPending } = useQuery(promotedEventsQuery('featured'));
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setLate(true), STRIP_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return isPending && !isLate;
}

/**
 * Keeps the search field at its position on screen, as far as the page's length allows, when filtering hides or shows
 * the content above it. Some browsers do not do this automatically. Call the returned function before each change.
 */
function useSearchInPlace(filtering: boolean): () => void {
  const before = useRef<number | null>(null);
  const top = () => document.getElementById(SEARCH_ID)?.getBoundingClientRect().top ?? null;
  useLayoutEffect(() => {
    const now = top();
    if (before.current !== null && now !== null && now !== before.current)
      window.scrollBy({ top: now - before.current, behavior: 'instant' });
    before.current = null;
  }, [filtering]);
  return () => {
    before.current = top();
  };
}

/**
 * The device's position, requested if the filter needs it. The URL never contains the position, and a search sends it
 * rounded (`searchOf`).
 */
function usePositionFor({ near }: EventFilter): DevicePosition {
  const [device, ask] = useDevicePosition();
  const isWanted = near === HERE;
  useEffect(() => {
    if (isWanted) ask();
  }, [isWanted, ask]);
  return isWanted ? device : { state: 'unknown' };
}

/** Explains why distances are missing while the position is unknown. */
function PositionNotice({ device }: { device: DevicePosition }) {
  const t = useTexts(texts);
  const problem = positionProblem(device);
  const text = device.state === 'asking' ? t('askingDevice') : problem && t('untilThen', { problem });
  return (
    <p role="status" className={text ? 'max-w-prose text-note text-ink-soft' : 'sr-only'}>
      {text}
    </p>
  );
}

/** Focuses the search box after "Discover" was pressed on another page. */
function useDiscover(): void {
  const { state } = useLocation() as { state: { focusSearch?: boolean } | null };
  const wanted = state?.focusSearch === true;
  useEffect(() => {
    if (wanted) requestAnimationFrame(focusSearch);
  }, [wanted]);
}
