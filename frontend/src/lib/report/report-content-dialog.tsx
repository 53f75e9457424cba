import type { ContentKind, ReportContentBody, ReportReason } from '@beltway/contracts/identity/moderation';
import { useTexts } from '../i18n/catalog.ts';
import { post } from '../http/http.ts';
import { toast } from '../../ui/toast.ts';
import { ReportWithReasons } from './report-dialog.tsx';
import { texts } from './content.texts.en.ts';

/** Content that POST /api/reports accepts; other kinds of content have their own API calls. */
export interface Reportable {
  kind: Extract<ContentKind, 'post' | 'post-comment' | 'question' | 'answer' | 'event' | 'account' | 'ad'>;
  id: number | string;
}

const reportContent = (body: ReportContentBody) => post('/api/reports', body);

/** Reports content to the admins, with a reason (services/identity/PRODUCT.md#moderation). */
export function ReportContentDialog({ reported, onClose }: { reported: Reportable; onClose: () => void }) {
  const t = useTexts(texts);
  const titles: Record<Reportable['kind'], string> = {
    post: t('reportPost'),
    'post-comment': t('reportComment'),
    question: t('reportQuestion'),
    answer: t('reportAnswer'),
    event: t('reportEvent'),
    account: t('reportAccount'),
    ad: t('reportAd'),
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
