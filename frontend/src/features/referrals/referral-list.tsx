import type { Referral } from '@beltway/contracts/identity/referrals';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatDate } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.en.ts';

interface ReferralListProps {
  referrals: readonly Referral[];
  maxPerMonth: number;
}

/** Who registered by one's link, and what came of it. */
export function ReferralList({ referrals, maxPerMonth }: ReferralListProps) {
  const t = useTexts(texts);
  return (
    <ul aria-label={t('people')} className="grid divide-y divide-line">
      {referrals.map(({ person, status, rewardEarned, createdAt }, at) => (
        <li key={`${createdAt}-${at}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <div className="min-w-0 flex-[1_1_10rem]">
            {person ? (
              <Link
                to={`/u/${person.userId}`}
                className="inline-flex min-h-11 items-center font-strong underline-offset-4 hover:underline"
              >
                <bdi className="wrap-anywhere">{person.name}</bdi>
              </Link>
            ) : (
              <p className="flex min-h-11 items-center">{t('somebody')}</p>
            )}
            <p className="text-note text-ink-soft">{t('joined', { day: formatDate(createdAt) })}</p>
          </div>
          {status === 'rewarded' && (
            <Badge tone="success">{t('rewarded', { points: formatCount(rewardEarned) })}</Badge>
          )}
          {status === 'pending' && <Badge tone="neutral">{t('pending')}</Badge>}
          {status === 'over-limit' && <Badge tone="neutral">{t('overLimit', { max: formatCount(maxPerMonth) })}</Badge>}
        </li>
      ))}
    </ul>
  );
}
