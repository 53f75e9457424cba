import type { Position } from '@beltway/places/distance';
import { findPlace } from '@beltway/places/find';
import { placeLabel, PLACES } from '@beltway/places/gazetteer';
import { useQuery } from '@tanstack/react-query';
import Footprints from 'lucide-react/icons/footprints';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import TrainFront from 'lucide-react/icons/train-front';
import { useState, type SubmitEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { useClock } from '../../lib/time/clock.ts';
import { positionProblem, useDevicePosition } from '../../lib/browser/device-position.ts';
import { freeEntry, isAllHeld, isFree, saleState, ticketsAvailable } from '../../lib/events/event-facts.ts';
import { LineDot } from '../../lib/events/event-lines.tsx';
import { EventTile } from '../../lib/events/event-tile.tsx';
import { journeyText } from '../../lib/journey/journey-text.ts';
import { texts as journeyTexts } from '../../lib/journey/texts.en.ts';
import { formatCount, formatHour, formatPrice } from '../../lib/i18n/format.ts';
import { useWholeSearch } from '../../lib/events/event-search.ts';
import { explain } from '../../lib/http/http.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { ConditionIcon, degrees, weatherQuery } from '../../lib/weather/weather.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { tonightNear, WITHIN_HOURS, type Outing } from './plan.ts';
import { texts } from './texts.en.ts';

const MINUTE = 60_000;
/** Maximum number of events to consider for these hours. */
const MOST = 500;

/** The current minute, from which journeys and 'leave at' are computed. */
function useMinute(): Date {
  const now = useClock([], MINUTE);
  return new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
}

/**
 * Lists tonight's events near a starting place. The URL names the place (`?from=`), so that it can be shared, or the
 * page uses the device's position, which stays on the device.
 */
export function Tonight() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const [position, ask] = useDevicePosition();
  const place = PLACES.find(({ id }) => id === params.get('from'));
  const choose = (id: string | null) => setParams(id ? { from: id } : {}, { preventScrollReset: true });
  const from = place ?? position.at;
  const problem = place ? undefined : positionProblem(position);
  return (
    <div className="page grid gap-6 py-8">
      <header className="grid gap-2">
        <h1 className="text-heading">{t('title')}</h1>
        <p className="max-w-prose text-ink-soft">{t('lead')}</p>
      </header>
      <div className="flex flex-wrap items-end gap-3">
        <Button
          variant={from ? 'secondary' : 'primary'}
          pending={position.state === 'asking'}
          onClick={() => {
            choose(null);
            ask();
          }}
        >
          {position.state !== 'asking' && <LocateFixed aria-hidden className="size-4" />}
          {t('usePosition')}
        </Button>
        <PlaceChoice key={place?.id} label={place ? placeLabel(place) : ''} onChoose={choose} />
      </div>
      <p
        role="status"
        className={problem ? 'max-w-prose rounded-md bg-warning-soft px-4 py-3 text-warning-ink' : 'sr-only'}
      >
        {problem}
      </p>
      {from ? (
        <Outings from={from} name={place ? placeLabel(place) : t('whereYouAre')} />
      ) : (
        <EmptyState title={t('whereStart')}>{t('whereStartWhy')}</EmptyState>
      )}
    </div>
  );
}

const CHOICES = PLACES.filter(({ kind }) => kind !== 'venue' && kind !== 'museum').map(placeLabel);

function PlaceChoice({ label, onChoose }: { label: string; onChoose: (id: string) => void }) {
  const t = useTexts(texts);
  const [isUnknown, setUnknown] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('from'));
    const place = PLACES.find((one) => placeLabel(one) === typed) ?? findPlace(typed)?.place;
    setUnknown(!place);
    if (place) onChoose(place.id);
    else event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <form onSubmit={submit} aria-label={t('whereYouStart')} className="flex flex-1 basis-80 flex-wrap items-end gap-3">
      <label className="grid min-w-0 flex-1 basis-48 gap-1 font-strong">
        {t('station')}
        <input
          name="from"
          list="tonight-places"
          defaultValue={label}
          maxLength={100}
          required
          autoComplete="off"
          aria-invalid={isUnknown || undefined}
          aria-describedby={isUnknown ? 'tonight-unknown' : undefined}
          className="min-h-11 w-full rounded-md border border-edge bg-surface px-3 font-regular"
        />
      </label>
      <datalist id="tonight-places">
        {CHOICES.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <Button type="submit" variant="secondary">
        {t('show')}
      </Button>
      {isUnknown && (
        <p id="tonight-unknown" role="alert" className="basis-full text-note text-danger-ink">
          {t('unknown')}
        </p>
      )}
    </form>
  );
}

function Outings({ from, name }: { from: Position; name: string }) {
  const t = useTexts(texts);
  const now = useMinute();
  // The query changes each hour, and is polled each minute for sold tickets.
  const begin = new Date(Math.floor(now.getTime() / (60 * MINUTE)) * 60 * MINUTE);
  const until = new Date(begin.getTime() + (WITHIN_HOURS + 1) * 60 * MINUTE);
  const query = new URLSearchParams({
    from: begin.toISOString(),
    to: until.toISOString(),
    sort: 'soonest',
  });
  const { data, error, events, isFetching, isLoadingOn, isWhole, refetch } = useWholeSearch(query, MOST, MINUTE);
  const outings = tonightNear(events, from, now);
  useStock(outings.filter(({ event }) => event.hasTickets).map(({ event }) => event.id));
  if (!data && error)
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (!data)
    return (
      <Loading label={t('loading')} className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-52 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </Loading>
    );
  return (
    <section aria-labelledby="tonight-title" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="tonight-title" className="text-title">
          {t('eventsFrom', { number: formatCount(outings.length), count: outings.length, name })}
        </h2>
        <WeatherNow at={from} />
      </div>
      {outings.length === 0 && isLoadingOn ? (
        <Skeleton className="h-52 rounded-lg" />
      ) : outings.length === 0 ? (
        <EmptyState title={t('nothing')} action={<ButtonLink to="/">{t('later')}</ButtonLink>}>
          {t('nothingWhy', { name })}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          {outings.map((outing) => (
            <li key={outing.event.id}>
              <OutingCard outing={outing} />
            </li>
          ))}
        </ul>
      )}
      <Meta className="max-w-prose">
        {t('estimates')}
        {!isWhole && !isLoadingOn && t('onlyFirst', { number: formatCount(events.length) })}
      </Meta>
    </section>
  );
}

function WeatherNow({ at }: { at: Position }) {
  const { data } = useQuery(weatherQuery(at));
  if (!data) return null;
  const { current } = data;
  const now = `${degrees(current.temp)}, ${current.condition}`;
  return (
    <p className="tabular flex items-center gap-2 text-note">
      <ConditionIcon condition={current.condition} className="size-5" />
      {now}
    </p>
  );
}

function OutingCard({ outing: { event, journey, leaveAt, lateMinutes } }: { outing: Outing }) {
  const t = useTexts(texts);
  const now = useEventClock(event);
  const Icon = journey.by === 'walk' ? Footprints : TrainFront;
  return (
    <article
      aria-label={event.title}
      className="grid h-full content-start gap-3 rounded-lg border border-line bg-surface p-3"
    >
      <EventTile event={event} />
      <p className="font-strong">
        {lateMinutes > 0 ? t('leaveNow', { count: lateMinutes }) : t('leaveAt', { time: formatHour(leaveAt) })}
      </p>
      <p className="flex items-start gap-2 text-note">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          {journeyText(journey, useTexts(journeyTexts))}
          {journey.by === 'metro' &&
            journey.lines.map((line) => <LineDot key={line} line={line} className="ms-1 size-2.5!" />)}
        </span>
      </p>
      <Meta className="tabular">{stockText(t, event, now)}</Meta>
    </article>
  );
}

function stockText(t: TextsOf<typeof texts>, event: Outing['event'], now: Date): string {
  if (isFree(event, now)) return freeEntry();
  const price = event.ticketPrice ? formatPrice(event.ticketPrice) : '';
  switch (saleState(event, now)) {
    case 'on-sale':
      return isAllHeld(event)
        ? t('heldByOthers', { price })
        : t('left', { price, count: formatCount(ticketsAvailable(event) - event.heldTickets) });
    case 'sold-out':
      return t('soldOut');
    case 'not-yet':
      return t('notYet', { price });
    case 'postponed':
    case 'suspended':
    case 'ended':
      return t('noLonger');
    case 'none':
      return t('noTickets');
  }
}
