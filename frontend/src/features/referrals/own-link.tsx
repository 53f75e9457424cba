import type { ReferralsPage } from '@beltway/contracts/identity/referrals';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { texts } from './texts.en.ts';

type Own = Pick<ReferralsPage, 'code' | 'link' | 'rewardedThisMonth' | 'maxPerMonth'>;

/** The account's referral link with its code, and this month's rewards. */
export function OwnLink({ own: { code, link, rewardedThisMonth, maxPerMonth } }: { own: Own }) {
  const t = useTexts(texts);
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const copy = async () => setCopied((await copyText(link)) ? 'yes' : 'no');
  return (
    <Card ground="raised" aria-label={t('yourLink')} className="gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('yourLink')} className="min-w-0 flex-1 basis-60">
          <Input readOnly value={link} dir="ltr" onFocus={({ target }) => target.select()} />
        </Field>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {t('copyLink')}
        </Button>
      </div>
      <p role="status" className="text-note empty:hidden">
        {copied === 'yes' && t('copied')}
        {copied === 'no' && t('notCopied')}
      </p>
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <span>
          {t.rich('code', {
            code: () => (
              <strong dir="ltr" className="tabular font-strong tracking-wider">
                {code}
              </strong>
            ),
          })}
        </span>
        <span className="text-ink-soft">
          {t('thisMonth', { done: formatCount(rewardedThisMonth), max: formatCount(maxPerMonth) })}
        </span>
      </p>
    </Card>
  );
}
