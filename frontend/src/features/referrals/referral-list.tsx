import type { Referral } from '@beltway/contracts/identity/referrals';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatDate } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { texts } from './texts.en.ts';

interface ReferralListProps {
  referrals: readonly Referral[];
  maxPerMonth: number;
}

/** The accounts that registered with the link, and the status of each referral. */
export function ReferralList({ referrals, maxPerMonth }: ReferralListProps) {
  const t = useTexts(texts);
  return (
    <ul aria-label={t('people')} className="grid divide-y divide-line">
      {referrals.map(({ person, status, rewardEarned, createdAt }, at) => (
        <li key={`${createdAt}-${at}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <div className="min-w-0 flex-[1_1_10rem]">
            {person ? (
              <TextLink quiet to={`/u/${person.userId}`} className="font-strong">
                <bdi className="wrap-anywhere">{person.name}</bdi>
              </TextLink>
            ) : (
              <p className="flex min-h-11 items-center">{t('somebody')}</p>
            )}
            <Meta>{t('joined', { day: formatDate(createdAt) })}</Meta>
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
