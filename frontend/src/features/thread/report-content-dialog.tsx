import type { ReportReason } from '@beltway/contracts/identity/moderation';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { ReportWithReasons } from '../../lib/report/report-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { reportContent } from './posts-api.ts';
import type { Reportable } from './person.ts';
import { texts } from './texts.en.ts';

/** Reports content to the moderators, with a reason (services/identity/PRODUCT.md#moderation). */
export function ReportContentDialog({ reported, onClose }: { reported: Reportable; onClose: () => void }) {
  const t = useTexts(texts);
  const titles: Record<Reportable['kind'], string> = {
    post: t('reportPost'),
    'post-comment': t('reportComment'),
    question: t('reportQuestion'),
    answer: t('reportAnswer'),
  };
  const reasons: Record<Exclude<ReportReason, 'abuse'>, string> = {
    spam: t('spam'),
    harassment: t('harassment'),
    hate: t('hate'),
    violence: t('violence'),
    sexual: t('sexual'),
    illegal: t('illegal'),
    privacy: t('privacy'),
    rights: t('rights'),
    other: t('other'),
  };
  return (
    <ReportWithReasons
      title={titles[reported.kind]}
      reasons={reasons}
      readers={t('readers')}
      send={(body) => reportContent({ ...body, kind: reported.kind, id: String(reported.id) })}
      onClose={onClose}
      onReported={() => {
        onClose();
        toast({ title: t('reported'), description: t('reportedWhy'), at: window.location.pathname });
      }}
    />
  );
}
