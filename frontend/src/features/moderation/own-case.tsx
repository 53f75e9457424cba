import type { OwnCase } from '@beltway/contracts/identity/moderation';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { toast } from '../../ui/toast.ts';
import { useRefreshModeration } from './api.ts';
import { AppealForm } from './appeal-form.tsx';
import { Decisions } from './decisions.tsx';
import { texts } from './texts.en.ts';

/** A decision about the account's own content, with the option to appeal. */
export function OwnCaseCard({ found, onDone }: { found: OwnCase; onDone: () => void }) {
  const { id, kind, standing, excerpt, decisions, appealUntil } = found;
  const t = useTexts(texts);
  const refresh = useRefreshModeration();
  const [isAppealing, setAppealing] = useState(false);
  const appealed = () => {
    toast({ title: t('willReview') });
    setAppealing(false);
    void refresh();
    onDone();
  };
  return (
    <Card as="article" ground="raised" aria-label={[t(kind), excerpt].join(': ')} className="gap-3">
      <h2 className="text-title">{t(kind)}</h2>
      <Meta>{t(standing)}</Meta>
      {excerpt && (
        <blockquote className="border-l-4 border-line pl-3 whitespace-pre-line wrap-anywhere">
          <bdi>{excerpt}</bdi>
        </blockquote>
      )}
      <Decisions decisions={decisions} />
      {appealUntil && !isAppealing && (
        <p className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" onClick={() => setAppealing(true)}>
            {t('askReview')}
          </Button>
          <Meta as="span">{t('onceUntil', { when: formatMoment(appealUntil) })}</Meta>
        </p>
      )}
      {appealUntil && isAppealing && <AppealForm caseId={id} onAppealed={appealed} />}
    </Card>
  );
}
