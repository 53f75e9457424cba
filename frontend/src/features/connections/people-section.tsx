import type { Connection, ConnectionPage } from '@beltway/contracts/identity/connections';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ConnectionActions } from './connection-actions.tsx';
import { texts } from './texts.en.ts';

interface PeopleSectionProps {
  title: string;
  found: UseInfiniteQueryResult<InfiniteData<ConnectionPage>>;
  empty: string;
  more: string;
}

/** People in one connection state, each with the event where they met and the actions. */
export function PeopleSection({ title, found, empty, more }: PeopleSectionProps) {
  const t = useTexts(texts);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 ref={heading} id={id} tabIndex={-1} className="text-title outline-none">
        {title}
      </h2>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('what')}
        skeleton={{ className: 'h-16', of: 'rows' }}
        empty={<p className="text-ink-soft">{empty}</p>}
        more={more}
      >
        {(listed) => (
          <ul aria-label={title} className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
            {listed.map((connection) => (
              <li key={connection.userId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
                <Person connection={connection} />
                <ConnectionActions connection={connection} onSaid={() => heading.current?.focus()} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function Person({ connection: { userId, name, isVisible, eventId, eventTitle, day } }: { connection: Connection }) {
  const t = useTexts(texts);
  const shown = <bdi className="wrap-anywhere">{name}</bdi>;
  const on = formatDate(day);
  return (
    <div className="min-w-0 flex-[1_1_18rem]">
      {isVisible ? (
        <TextLink quiet to={`/u/${userId}`} className="font-strong">
          {shown}
        </TextLink>
      ) : (
        <p className="flex min-h-11 items-center font-strong">{shown}</p>
      )}
      <Meta className="wrap-anywhere">
        {eventTitle === ''
          ? t('metSomewhere', { day: on })
          : t.rich('metAt', {
              day: on,
              event: () => (
                <Link to={`/event/${eventId}`} className="underline underline-offset-4">
                  <bdi>{eventTitle}</bdi>
                </Link>
              ),
            })}
      </Meta>
    </div>
  );
}
