import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath, organizerPath } from '../../lib/events/event-facts.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { organizerEventsQuery, organizerQuery } from '../../lib/events/event-queries.ts';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { FollowButton } from './follow-button.tsx';
import { followersText, Initial, nameless } from './organizer-name.tsx';
import { texts } from './texts.en.ts';

/** Number of the organizer's other events to list. */
const NEXT = 2;

/** The organizer of an event: a link to their page, a follow button, and their next events. */
export function OrganizerBox({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data } = useQuery(organizerQuery(event.userId));
  const name = data?.name ?? event.organizerName ?? null;
  return (
    <Card aria-labelledby="organizer-title" className="gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Initial name={name} className="size-12 text-title" />
        <div className="min-w-0 flex-1 basis-48">
          <h2 id="organizer-title" className="text-note text-ink-soft">
            {t('organizedBy')}
          </h2>
          <p>
            <Link
              to={organizerPath(event.userId)}
              className="inline-flex min-h-6 items-center wrap-anywhere font-strong underline-offset-4 hover:underline"
            >
              <bdi>{name ?? nameless()}</bdi>
            </Link>
          </p>
          <Meta className="tabular min-h-[1lh]">{data && data.followers > 0 && followersText(data.followers)}</Meta>
        </div>
        <FollowButton organizer={{ id: event.userId, name }} />
      </div>
      <NextShows event={event} />
    </Card>
  );
}

/**
 * The organizer's next events, without other dates of the same series, because the page lists those dates elsewhere.
 */
function NextShows({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data } = useQuery(organizerEventsQuery(event.userId));
  const others = (data?.upcoming ?? []).filter(
    ({ id, seriesId }) => id !== event.id && (seriesId == null || seriesId !== event.seriesId),
  );
  if (others.length === 0) return null;
  return (
    <ul aria-label={t('nextShows')} className="border-t border-line">
      {others.slice(0, NEXT).map((other) => (
        <li key={other.id} className="border-b border-line last:border-0">
          <Link to={eventPath(other)} className="grid min-h-11 content-center py-1.5 hover:underline">
            <When event={other} className="text-note text-ink-soft" />
            <span className="font-strong wrap-anywhere">{other.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
