import { LiveStreamList, type LiveStream } from '@beltway/contracts/livestream';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventPath } from '../../lib/event-facts.ts';
import { sayMoment } from '../../lib/format.ts';
import { isPassing } from '../../lib/http.ts';
import { apiQuery } from '../../lib/query.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState } from '../../ui/states.tsx';

/** GET /api/live-streams, asked every 30 seconds (docs/product.md#live-streams). */
const liveStreamsQuery = () => ({ ...apiQuery(LiveStreamList, '/api/live-streams'), refetchInterval: 30_000 });

/** A colour for each kind of place. */
const TONES: Record<LiveStream['category'], BadgeTone> = {
  Landmark: 'warning',
  Waterfront: 'success',
  Government: 'inverse',
  'Entertainment District': 'accent',
  'Waterfront Resort': 'danger',
  'Street Views': 'neutral',
};

/** What is live or scheduled; nothing at all when nothing is. */
export function LiveStreams() {
  const found = useQuery(liveStreamsQuery());
  const [chosen, setChosen] = useState<number | null>(null);
  const streams = found.data ?? [];
  if (found.isLoadingError && isPassing(found.error))
    return (
      <ErrorState
        title="Unable to connect to live streams"
        message="Please check your connection and try again."
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    );
  const selected = streams.find(({ id }) => id === chosen) ?? streams[0];
  if (!selected) return null;
  return (
    <section aria-labelledby="live-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="live-title" className="text-heading">
        Live Streams
      </h2>
      <Selected stream={selected} />
      {streams.length > 1 && (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {streams.map((stream) => (
            <li key={stream.id} className="grid">
              <button
                type="button"
                aria-pressed={stream.id === selected.id}
                onClick={() => setChosen(stream.id)}
                className={cx(
                  'grid content-start gap-1.5 rounded-lg border bg-surface p-4 text-left shadow-card transition-[border-color] duration-(--duration-base)',
                  stream.id === selected.id ? 'border-accent-ink' : 'border-line hover:border-edge',
                )}
              >
                <Badges stream={stream} />
                <span className="line-clamp-2 font-strong">{stream.title}</span>
                <span className="text-note text-ink-soft">{stream.venueName}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Badges = ({ stream: { isLive, startTime, category } }: { stream: LiveStream }) => (
  <span className="flex flex-wrap gap-2">
    {isLive ? <Badge tone="danger">LIVE</Badge> : <Badge>Starts {sayMoment(startTime)}</Badge>}
    <Badge tone={TONES[category]}>{category}</Badge>
  </span>
);

const Selected = ({ stream }: { stream: LiveStream }) => (
  <div className="grid overflow-hidden rounded-lg border border-line bg-surface shadow-card md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
    <img src={stream.thumbnailUrl} alt="" loading="lazy" className="aspect-[16/10] size-full bg-sunken object-cover" />
    <div className="grid content-start gap-3 p-5">
      <Badges stream={stream} />
      <div className="grid gap-0.5">
        <h3 className="text-title">{stream.title}</h3>
        <p className="text-note text-ink-soft">{stream.location}</p>
      </div>
      <p className="line-clamp-3">{stream.description}</p>
      <p className="text-note text-ink-soft tabular">
        {sayMoment(stream.startTime)} to {sayMoment(stream.endTime)}
      </p>
      <ButtonLink to={eventPath(stream)} variant="secondary" className="justify-self-start">
        See the event
      </ButtonLink>
    </div>
  </div>
);
