import { plainDescription } from '@beltway/contracts/catalog/plain-description';
import type { Event } from '@beltway/contracts/catalog/events';
import { cutText } from '@beltway/contracts/common/cut-text';
import { categoryOf } from '@beltway/contracts/catalog/categories';
import type { Position } from '@beltway/places/distance';
import { REGION_BOUNDS, REGION_CENTER } from '@beltway/places/map/view';
import { useQuery } from '@tanstack/react-query';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import Maximize2 from 'lucide-react/icons/maximize-2';
import Minimize2 from 'lucide-react/icons/minimize-2';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { FocusScope } from '@radix-ui/react-focus-scope';
import { useCallback, useEffect, useMemo, useRef, useState, type ComponentProps } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { useWholeSearch } from '../../lib/events/event-search.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { positionProblem, useDevicePosition } from '../../lib/browser/device-position.ts';
import { eventPath, sellsTickets, soonestFirst } from '../../lib/events/event-facts.ts';
import { LineDot, PremiumBadge, When, Where } from '../../lib/events/event-lines.tsx';
import { formatCount, formatRound } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { clusterer, type Cluster } from '../../lib/map/clusters.ts';
import {
  DEFAULT_ZOOM,
  MapError,
  SELECTED_ZOOM,
  type MapMarker,
  type MapSurface,
  type MapView,
} from '../../lib/map/surface.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { partOfMap, unplacedPart, useRested } from './view-search.ts';
import { texts } from './views.texts.en.ts';

/** frontend/PRODUCT.md#map */
const POPUP_LETTERS = 100;
/** The maximum number of events in a place's popup; the rest are in the list. */
const POPUP_EVENTS = 20;

type Placed = Event & { place: NonNullable<Event['place']> };
const isPlaced = (event: Event): event is Placed => event.place != null && !event.place.isApproximate;
const positionOf = ({ place }: Placed): Position => place;

/** The maximum numbers of events that load without a click: events in view, and events without a place. */
const MOST = 300;
const MOST_UNPLACED = 100;

/**
 * The events in view, on a map and in a list. Choosing an event in the list selects its marker. Events without a place
 * are listed separately.
 */
export function EventMap({ search }: { search: URLSearchParams }) {
  const t = useTexts(texts);
  const now = useClock();
  const config = useQuery(configQuery());
  const [view, setView] = useState<MapView | null>(null);
  const inView = useWholeSearch(partOfMap(search, useRested<Omit<MapView, 'zoom'>>(view, REGION_BOUNDS)), MOST);
  const unplaced = useWholeSearch(unplacedPart(search), MOST_UNPLACED);
  const placed = useMemo(() => soonestFirst(inView.events, now).filter(isPlaced), [inView.events, now]);
  if (inView.isPending || config.isPending) return <MapSkeleton />;
  const { error } = inView;
  if (error && !inView.data)
    return (
      <ErrorState
        title={t('eventsNotLoaded')}
        message={explain(error)}
        onRetry={() => void inView.refetch()}
        retrying={inView.isFetching}
      />
    );
  const hasMore = inView.hasNextPage && !inView.isLoadingOn && !inView.isStale;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Meta role="status" className="tabular">
          {error
            ? explain(error)
            : t(hasMore ? 'firstOnMap' : 'onMap', { count: placed.length, number: formatCount(placed.length) })}
        </Meta>
        {hasMore && (
          <Button variant="secondary" pending={inView.isFetching} onClick={() => void inView.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </div>
      {/* Until the configuration has loaded, the page shows the bundled map, which needs no key. */}
      <MapAndList events={placed} googleMapsKey={config.data?.googleMapsKey ?? null} onView={setView} />
      <NotOnTheMap found={unplaced} />
    </>
  );
}

const MapSkeleton = () => (
  <Loading label={textsNow(texts)('mapLoading')}>
    <Skeleton className="mb-4 h-5 w-48" />
    <Skeleton className="h-[55dvh] rounded-lg lg:h-[38rem]" />
  </Loading>
);

/** The selection on the map: the events of one place, or the event chosen in the list. */
interface Chosen {
  events: Placed[];
  at: Position;
}

interface MapAndListProps {
  events: Placed[];
  googleMapsKey: string | null;
  onView: (view: MapView) => void;
}

function MapAndList({ events, googleMapsKey, onView }: MapAndListProps) {
  const t = useTexts(texts);
  const [isFull, setFull] = useDialogEntry('map');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [position, askPosition] = useDevicePosition();
  const clusters = useMemo(() => clusterer(events, ({ id }) => id, positionOf), [events]);
  // A popup closes when the filter excludes its events.
  const open = chosen?.events.every(({ id }) => events.some((event) => event.id === id)) ? chosen : null;
  const map = useMap(googleMapsKey, () => setChosen(null));
  const { surface, view, popup } = map;
  useEffect(() => {
    if (view) onView(view);
  }, [view, onView]);

  const onMarker = (cluster: Cluster<Placed>) => {
    if (cluster.apartAt !== null) return surface?.goTo(cluster.at, cluster.apartAt);
    setChosen({ events: cluster.items, at: cluster.at });
  };
  const shown = useMemo(() => (view ? clusters(view) : []), [view, clusters]);
  map.onMarker.current = (key) => {
    const cluster = shown.find((one) => one.key === key);
    if (cluster) onMarker(cluster);
  };
  const chosenId = open?.events.length === 1 ? open.events[0]?.id : undefined;
  useEffect(() => surface?.showMarkers(shown.map((one) => markerOf(one, chosenId))), [surface, shown, chosenId]);
  useEffect(() => {
    if (open) surface?.openPopup(open.at, popup);
    else surface?.closePopup();
  }, [surface, open, popup]);
  useEffect(() => {
    if (!position.at || !surface) return;
    surface.showHere(position.at, t('youAreHere'));
    surface.goTo(position.at, SELECTED_ZOOM);
  }, [surface, position, t]);
  useEffect(() => {
    surface?.resize(isFull);
    document.documentElement.style.overflow = isFull ? 'hidden' : '';
    return () => void (document.documentElement.style.overflow = '');
  }, [surface, isFull]);

  useEffect(() => {
    // Escape closes the topmost layer first.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      if (open) setChosen(null);
      else if (isFull) setFull(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, isFull, setFull]);

  const choose = (event: Placed) => {
    surface?.goTo(positionOf(event), SELECTED_ZOOM);
    setChosen({ events: [event], at: positionOf(event) });
  };
  const problem = positionProblem(position);
  return (
    <FocusScope asChild trapped={isFull} loop={isFull} onMountAutoFocus={stay} onUnmountAutoFocus={stay}>
      <div
        {...(isFull && { role: 'dialog', 'aria-modal': true, 'aria-label': t('mapOfEvents') })}
        className={cx(
          'grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]',
          isFull &&
            'fixed inset-0 z-50 grid-rows-[minmax(0,1fr)_minmax(0,38dvh)] gap-0! bg-ground lg:grid-rows-[minmax(0,1fr)]',
        )}
      >
        <div
          className={cx(
            'relative isolate overflow-hidden',
            isFull ? 'h-full' : 'h-[55dvh] rounded-lg border border-line lg:h-[38rem]',
          )}
        >
          {map.error ? (
            <ErrorState
              title={t('mapNotHere')}
              message={t(map.error.reason)}
              onRetry={() => window.location.reload()}
            />
          ) : (
            <div ref={map.element} role="region" aria-label={t('map')} className="size-full" />
          )}
          {map.isHinted && !isFull && (
            <p
              aria-hidden
              className="pointer-events-none absolute inset-0 z-1000 grid animate-fade place-content-center bg-scrim p-6 text-center text-title text-white"
            >
              {t('twoFingers')}
            </p>
          )}
          <div data-over-map className="absolute end-3 top-3 z-1000 grid gap-2">
            <MapButton label={isFull ? t('collapseMap') : t('expandMap')} onClick={() => setFull(!isFull)}>
              {isFull ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
            </MapButton>
            {surface && (
              <>
                <MapButton label={t('zoomIn')} onClick={() => surface.zoomBy(1)}>
                  <Plus aria-hidden />
                </MapButton>
                <MapButton label={t('zoomOut')} onClick={() => surface.zoomBy(-1)}>
                  <Minus aria-hidden />
                </MapButton>
                <MapButton label={t('showMe')} disabled={position.state === 'asking'} onClick={askPosition}>
                  <LocateFixed aria-hidden />
                </MapButton>
              </>
            )}
          </div>
          <p
            role="status"
            className={cx(
              'absolute inset-x-3 bottom-3 z-1000 w-fit rounded-md bg-raised px-3 py-2 text-note shadow-lift',
              !problem && 'sr-only',
            )}
          >
            {problem}
          </p>
        </div>
        <EventChoice events={events} chosenId={chosenId} onChoose={choose} isFull={isFull} />
        {createPortal(open && <PopupContent events={open.events} />, popup)}
      </div>
    </FocusScope>
  );
}

const stay = (event: globalThis.Event) => event.preventDefault();

const MapButton = (props: ComponentProps<typeof IconButton>) => (
  <IconButton {...props} className="border border-edge bg-raised shadow-card hover:bg-sunken" />
);

function markerOf({ key, at, items }: Cluster<Placed>, chosenId: number | undefined): MapMarker {
  const [first] = items;
  return {
    key,
    at,
    count: items.length,
    label: items.length === 1 ? first!.title : textsNow(texts)('eventsOfMarker', { count: String(items.length) }),
    line: categoryOf(first!.tags).line,
    price: items.length === 1 && sellsTickets(first!) ? formatRound(first!.ticketPrice) : '',
    selected: items.some(({ id }) => id === chosenId),
  };
}

/** Opens one map for each API key. Later changes are applied to the same map. */
function useMap(googleMapsKey: string | null, onPopupClosed: () => void) {
  const element = useRef<HTMLDivElement>(null);
  const onMarker = useRef<(key: string) => void>(() => undefined);
  const [surface, setSurface] = useState<MapSurface | null>(null);
  const [view, setView] = useState<MapView | null>(null);
  const [error, setError] = useState<MapError | null>(null);
  const [popup] = useState(() => document.createElement('div'));
  const [isHinted, hint] = useHint();
  const closed = useRef(onPopupClosed);
  closed.current = onPopupClosed;

  useEffect(() => {
    let isGone = false;
    let opened: MapSurface | undefined;
    const open = async () => {
      const openMap = googleMapsKey
        ? (await import('../../lib/map/google-map.ts')).openGoogleMap(googleMapsKey)
        : (await import('../../lib/map/leaflet-map.ts')).openLeafletMap;
      if (isGone || !element.current) return;
      const made = await openMap(
        element.current,
        { center: REGION_CENTER, zoom: DEFAULT_ZOOM },
        {
          onView: (seen) => !isGone && setView(seen),
          onMarker: (key) => onMarker.current(key),
          onPopupClosed: () => closed.current(),
          onFailed: (failure) => !isGone && setError(failure),
          onOneFinger: hint,
        },
      );
      if (isGone) return made.destroy();
      opened = made;
      setSurface(made);
    };
    open().catch((cause: unknown) => {
      if (isGone) return;
      console.error('The map could not be shown', cause);
      setError(cause instanceof MapError ? cause : new MapError('broken'));
    });
    return () => {
      isGone = true;
      opened?.destroy();
      setSurface(null);
      setView(null);
    };
  }, [googleMapsKey, hint]);
  return { element, onMarker, surface, view, error, popup, isHinted };
}

/** Milliseconds for which a hint stays after its cause. */
const HINT_MS = 1_500;

function useHint(): readonly [isShown: boolean, show: () => void] {
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(false), HINT_MS);
    setShown(true);
  }, []);
  return [isShown, show];
}

interface EventChoiceProps {
  events: Placed[];
  chosenId: number | undefined;
  onChoose: (event: Placed) => void;
  isFull: boolean;
}

/** The markers' events as a list, for keyboard and screen reader users and anyone who prefers a list. */
function EventChoice({ events, chosenId, onChoose, isFull }: EventChoiceProps) {
  const t = useTexts(texts);
  if (events.length === 0) return <EmptyState title={t('nothingOnMap')}>{t('nothingOnMapWhy')}</EmptyState>;
  return (
    <ul
      aria-label={t('eventsOnMap')}
      className={cx(
        'relative grid content-start gap-2 overflow-y-auto p-1 lg:max-h-[38rem]',
        isFull ? 'min-h-0 max-h-full! p-3!' : 'max-h-96',
      )}
    >
      {events.map((event) => {
        const isChosen = event.id === chosenId;
        return (
          <li
            key={event.id}
            className={cx(
              'rounded-lg border bg-raised',
              isChosen ? 'border-accent-ink bg-accent-soft' : 'border-line hover:border-edge',
            )}
          >
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChoose(event)}
              className="grid w-full gap-0.5 rounded-lg p-3 text-start"
            >
              <span className="flex items-center gap-2 text-note font-strong">
                <LineDot line={categoryOf(event.tags).line} />
                <When event={event} />
                <PremiumBadge event={event} />
              </span>
              <span className="line-clamp-2 font-display leading-tight font-strong tracking-tight">{event.title}</span>
              <Where location={event.location} className={cx('text-note', !isChosen && 'text-ink-soft')} />
            </button>
            {isChosen && (
              <div className="px-3 pb-3">
                <Link to={eventPath(event)} className={buttonClass('secondary', 'w-full')}>
                  {t.rich('seeEventOf', {
                    title: event.title,
                    hidden: (words) => <span className="sr-only">{words}</span>,
                  })}
                </Link>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function cut(text: string): string {
  const start = cutText(text, POPUP_LETTERS);
  return start === text ? text : `${start.trimEnd()}…`;
}

function PopupContent({ events }: { events: Placed[] }) {
  const t = useTexts(texts);
  const [event] = events;
  if (event && events.length === 1)
    return (
      <article className="grid gap-1.5 pe-4">
        <p className="flex flex-wrap items-center gap-x-2">
          <When event={event} className="text-note font-strong" />
          <PremiumBadge event={event} />
        </p>
        <h3 className="text-body leading-tight">{event.title}</h3>
        <Meta>{event.place.name}</Meta>
        <p data-testid="popup-description" className="text-note wrap-anywhere">
          {cut(plainDescription(event.description))}
        </p>
        <PopupLink event={event} label={t('seeEvent')} />
      </article>
    );
  return (
    <section className="grid gap-2 pe-4">
      <h3 className="text-body leading-tight">{t('eventsHere', { count: formatCount(events.length) })}</h3>
      <ul className="relative grid max-h-60 gap-2 overflow-y-auto">
        {events.slice(0, POPUP_EVENTS).map((one) => (
          <li key={one.id} className="grid">
            <span className="flex flex-wrap items-center gap-x-2">
              <When event={one} className="text-note font-strong" />
              <PremiumBadge event={one} />
            </span>
            <PopupLink event={one} label={one.title} />
          </li>
        ))}
      </ul>
      {events.length > POPUP_EVENTS && <p className="text-note">{t('othersInList')}</p>}
    </section>
  );
}

const PopupLink = ({ event, label }: { event: Placed; label: string }) => (
  <TextLink to={eventPath(event)} className="font-strong text-accent-ink!">
    {label}
  </TextLink>
);

/** Lists the events without a marker: those whose position would be a guess. */
function NotOnTheMap({ found }: { found: ReturnType<typeof useWholeSearch> }) {
  const t = useTexts(texts);
  const now = useClock();
  const { events, hasNextPage, isFetching, isLoadingOn, fetchNextPage } = found;
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="not-on-the-map" className="mt-7">
      <h3 id="not-on-the-map" className="text-title">
        {t('notOnMap')}
      </h3>
      <Meta className="mb-3 max-w-prose">{t('notOnMapWhy')}</Meta>
      <ul className="grid gap-2 md:grid-cols-2 xl:grid-cols-3">
        {soonestFirst(events, now).map((event) => (
          <li key={event.id}>
            <Link
              to={eventPath(event)}
              className="grid gap-0.5 rounded-lg border border-line bg-raised p-3 hover:border-edge"
            >
              <span className="flex flex-wrap items-center gap-x-2">
                <When event={event} className="text-note font-strong" />
                <PremiumBadge event={event} />
              </span>
              <span className="font-display leading-tight font-strong">{event.title}</span>
              <Where location={event.location} className="text-note text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && !isLoadingOn && (
        <Button variant="secondary" className="mt-4" pending={isFetching} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </section>
  );
}
