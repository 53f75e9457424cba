import type { FlaggedReferrals } from '@beltway/contracts/identity/referrals';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatDate } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

type Flagged = FlaggedReferrals['items'][number];
const STATUS = { pending: 'statusPending', rewarded: 'statusRewarded', 'over-limit': 'statusOver' } as const;
const HINTS = { 'same-network': 'sameNetwork', 'same-device': 'sameDevice' } as const;

/** Flagged referrals, with the evidence that both accounts belong to one person. */
export function FlaggedList({ referrals }: { referrals: readonly Flagged[] }) {
  const t = useTexts(texts);
  const account = ({ userId, name }: Flagged['referred']) => (
    <bdi className="font-strong wrap-anywhere">{t('account', { name, number: String(userId) })}</bdi>
  );
  return (
    <ul aria-label={t('flaggedTitle')} className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
      {referrals.map(({ referrer, referred, hints, status, createdAt }) => (
        <li key={referred.userId} className="grid gap-2 py-4">
          <p>{t.rich('brought', { referrer: () => account(referrer), referred: () => account(referred) })}</p>
          <Meta className="flex flex-wrap items-center gap-2">
            {hints.map((hint) => (
              <Badge key={hint} tone="accent">
                {t(HINTS[hint])}
              </Badge>
            ))}
            {t('facts', { day: formatDate(createdAt), status: t(STATUS[status]) })}
          </Meta>
        </li>
      ))}
    </ul>
  );
}
