import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { organizerPath } from '../../lib/events/event-facts.ts';
import { organizerQuery } from '../../lib/events/event-queries.ts';
import { Meta } from '../../ui/meta.tsx';
import { FollowButton } from './follow-button.tsx';
import { followersText, Initial, nameless } from './organizer-name.tsx';
import { texts } from './texts.en.ts';

/** Who puts an event on, with a way to their page and to follow them. */
export function OrganizerBox({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data } = useQuery(organizerQuery(event.userId));
  const name = data?.name ?? event.organizerName ?? null;
  return (
    <section aria-labelledby="organizer-title" className="flex flex-wrap items-center gap-x-4 gap-y-3">
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
        <Meta className="tabular min-h-[1lh]">{data && followersText(data.followers)}</Meta>
      </div>
      <FollowButton organizer={{ id: event.userId, name }} />
    </section>
  );
}
