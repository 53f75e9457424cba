import type { PointsEntry, TakenBackWhy } from '@beltway/contracts/identity/points';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { translate } from '../../lib/i18n/problems.ts';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { pointsQuery } from './api.ts';
import { texts } from './texts.en.ts';

const gain = (points: number): string => `+${points}`;

const WHY = {
  refunded: 'whyRefunded',
  canceled: 'whyCanceled',
  'not-over': 'whyNotOver',
  'photo-hidden': 'whyPhotoHidden',
  'not-connected': 'whyNotConnected',
  'not-referred': 'whyNotReferred',
  'not-met': 'whyNotMet',
  'own-event': 'whyOwnEvent',
} as const satisfies Record<TakenBackWhy, string>;

/** The account's point entries, latest first. Revoked entries are struck through. */
export function PointsList({ userId }: { userId: number }) {
  const t = useTexts(texts);
  const found = useInfiniteQuery(pointsQuery(userId));
  return (
    <section aria-labelledby="points-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="points-title" className="text-title">
        {t('pointsTitle')}
      </h2>
      <Meta>{t('pointsWhy')}</Meta>
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('pointsList')}
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={<p className="text-ink-soft">{t('noPoints')}</p>}
      >
        {(listed) => (
          <ul aria-label={t('pointsLabel')} className="grid divide-y divide-line">
            {listed.map((entry, place) => (
              <li
                key={`${entry.kind}-${entry.eventId}-${entry.at}-${place}`}
                className="flex items-baseline gap-4 py-2"
              >
                <Entry entry={entry} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function Entry({ entry: { points, reason, text, params, eventId, day, basis, takenBack } }: { entry: PointsEntry }) {
  const t = useTexts(texts);
  const words = <span dir="auto">{translate(text, params) ?? reason}</span>;
  return (
    <>
      <span className={cx('tabular min-w-9 shrink-0 font-strong', takenBack ? 'text-ink-soft' : 'text-success-ink')}>
        {takenBack ? <del>{gain(points)}</del> : gain(points)}
      </span>
      <div className="min-w-0">
        {eventId === null ? (
          <span className="inline-flex min-h-11 items-center">{takenBack ? <del>{words}</del> : words}</span>
        ) : (
          <TextLink quiet to={`/event/${eventId}`} className="wrap-anywhere">
            {takenBack ? <del>{words}</del> : words}
          </TextLink>
        )}
        <Meta>
          {formatDate(day)}
          {basis === 'ticket-held' && !takenBack && t('byTicket')}
        </Meta>
        {takenBack && (
          <p className="text-note">{t('takenBack', { day: formatDate(takenBack.at), why: t(WHY[takenBack.why]) })}</p>
        )}
      </div>
    </>
  );
}
