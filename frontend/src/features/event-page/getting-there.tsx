import { categoryOf } from '@beltway/contracts/catalog/categories';
import { directionsUrl, fullAddress } from '@beltway/contracts/catalog/event-links';
import type { Event, EventPlace } from '@beltway/contracts/catalog/events';
import { currentDayOf, instantOf } from '@beltway/contracts/common/times';
import type { Position } from '@beltway/places/distance';
import { placeLabel, PLACES } from '@beltway/places/gazetteer';
import { journeysFrom, nearestStation } from '@beltway/places/journey';
import { suggestPlaces } from '@beltway/places/suggest';
import Footprints from 'lucide-react/icons/footprints';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import TrainFront from 'lucide-react/icons/train-front';
import { useEffect, useRef, useState } from 'react';
import { positionProblem, useDevicePosition } from '../../lib/browser/device-position.ts';
import { useNear } from '../../lib/browser/use-near.ts';
import { isUpcoming } from '../../lib/events/event-facts.ts';
import { LineDot } from '../../lib/events/event-lines.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatHour } from '../../lib/i18n/format.ts';
import { journeyText } from '../../lib/journey/journey-text.ts';
import { texts as journeyTexts } from '../../lib/journey/texts.en.ts';
import { SELECTED_ZOOM, type MapSurface } from '../../lib/map/surface.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';
import { useClock } from '../../lib/time/clock.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './map.texts.en.ts';

const MINUTE = 60_000;
/** Pixels from the viewport at which the map begins to load. */
const AHEAD = 200;

/** A map of the event's surroundings, its Metro station, and when to leave. */
export function GettingThere({ event, place }: { event: Event; place: EventPlace }) {
  const t = useTexts(texts);
  const now = useClock([], MINUTE);
  const near = nearestStation(place);
  return (
    <section
      aria-labelledby="there-title"
      className="grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-lg border border-line bg-surface"
    >
      <a
        href={directionsUrl(fullAddress(event))}
        target="_blank"
        rel="noopener noreferrer"
        className="relative block outline-offset-[-3px]"
      >
        <SmallMap event={event} at={place} />
        <span className="sr-only">
          {t.rich('mapOf', { place: event.location, hidden: (words) => <span>{words}</span> })}
        </span>
      </a>
      <div className="grid gap-4 p-4 md:p-5">
        <h2 id="there-title" className="text-title">
          {t('gettingThere')}
        </h2>
        {near && (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <TrainFront aria-hidden className="size-5 shrink-0 text-ink-soft" />
            {near.station.lines?.map((line) => (
              <LineName key={line} line={line} />
            ))}
            <span>{t('walkFrom', { count: near.minutes, station: near.station.name })}</span>
          </p>
        )}
        {isUpcoming(event, now) && startsOn(event, now) > now.getTime() && (
          <LeaveBy event={event} to={place} now={now} />
        )}
      </div>
    </section>
  );
}

/** The start on the event's current day; an event of several days starts again on each day. */
const startsOn = (event: Event, now: Date): number =>
  instantOf(currentDayOf(event, now), event.eventStartTime).getTime();

function LineName({ line }: { line: Parameters<typeof LineDot>[0]['line'] }) {
  const t = useTexts(journeyTexts);
  return (
    <span className="inline-flex items-center gap-1 text-note font-strong capitalize">
      <LineDot line={line} />
      {t(line)}
    </span>
  );
}

/** The bundled map as a static picture; only the link around it can be pressed. */
function SmallMap({ event, at }: { event: Event; at: Position }) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNear(element, AHEAD);
  const { lat, lon } = at;
  const { line } = categoryOf(event.tags);
  useEffect(() => {
    if (!isNear) return;
    let opened: MapSurface | undefined;
    let isGone = false;
    const nothing = () => undefined;
    const open = async () => {
      const { openLeafletMap } = await import('../../lib/map/leaflet-map.ts');
      if (isGone || !element.current) return;
      const center = { lat, lon };
      opened = await openLeafletMap(
        element.current,
        { center, zoom: SELECTED_ZOOM },
        { onView: nothing, onMarker: nothing, onPopupClosed: nothing, onOneFinger: nothing, onFailed: nothing },
      );
      if (isGone) return opened.destroy();
      opened.showMarkers([{ key: 'event', at: center, label: '', line, price: '', count: 1, selected: true }]);
    };
    // If the map fails, its background color and all text remain.
    open().catch((cause: unknown) => console.error('The map could not be shown', cause));
    return () => {
      isGone = true;
      opened?.destroy();
    };
  }, [isNear, lat, lon, line]);
  return <div ref={element} inert aria-hidden className="h-36 w-full bg-sunken sm:h-44" />;
}

/** The chosen starting place is stored for this tab. The device's position is never stored. */
const SLOT = 'beltway.leave-from';

const suggested = (typed: string) =>
  suggestPlaces(typed, 8).filter(({ kind }) => kind !== 'venue' && kind !== 'museum');

function LeaveBy({ event, to, now }: { event: Event; to: Position; now: Date }) {
  const t = useTexts(texts);
  const [position, ask] = useDevicePosition();
  const [placeId, setPlaceId] = useState(() => tabStorage.get(SLOT));
  const [typed, setTyped] = useState('');
  const place = PLACES.find(({ id }) => id === placeId);
  const from = place ?? position.at;
  const choose = (id: string | null) => {
    setPlaceId(id);
    if (id === null) tabStorage.remove(SLOT);
    else tabStorage.set(SLOT, id);
  };
  return (
    <div className="grid gap-3">
      <Field
        label={t('from')}
        hint={position.at && !place ? undefined : t('fromHint')}
        error={place ? undefined : positionProblem(position)}
        className="max-w-md"
      >
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
          <Combobox
            text={place ? placeLabel(place) : typed}
            listLabel={t('places')}
            maxLength={100}
            options={place ? [] : suggested(typed).map(placeLabel)}
            onType={(text) => {
              setTyped(text);
              choose(null);
            }}
            onChoose={(label) => {
              choose(suggested(typed).find((one) => placeLabel(one) === label)?.id ?? null);
              setTyped('');
            }}
          />
          <IconButton
            label={t('usePosition')}
            disabled={position.state === 'asking'}
            className="border border-edge"
            onClick={() => {
              setTyped('');
              choose(null);
              ask();
            }}
          >
            <LocateFixed aria-hidden />
          </IconButton>
        </div>
      </Field>
      <div aria-live="polite">{from && <Way event={event} from={from} to={to} now={now} />}</div>
    </div>
  );
}

function Way({ event, from, to, now }: { event: Event; from: Position; to: Position; now: Date }) {
  const t = useTexts(texts);
  const say = useTexts(journeyTexts);
  const journey = journeysFrom(from)(to);
  if (!journey) return <p>{t('noWay')}</p>;
  const leaveAt = new Date(startsOn(event, now) - journey.minutes * MINUTE);
  const late = Math.ceil((now.getTime() - leaveAt.getTime()) / MINUTE);
  const Icon = journey.by === 'walk' ? Footprints : TrainFront;
  return (
    <div className="grid gap-1">
      <p className="text-title font-strong">
        {late > 0 ? t('leaveNow', { count: late }) : t('leaveBy', { time: formatHour(leaveAt) })}
      </p>
      <p className="flex items-start gap-2">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
        {journeyText(journey, say)}
      </p>
      <Meta>{t('estimates')}</Meta>
    </div>
  );
}
