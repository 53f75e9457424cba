import { ReportWithReasons } from '../../lib/report-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { reportContent } from './api.ts';
import type { Reportable } from './person.ts';
import { REASONS } from './report-reasons.ts';

const WORDS: Record<Reportable['kind'], string> = {
  post: 'Report this post',
  'post-comment': 'Report this comment',
  question: 'Report this question',
  answer: 'Report this answer',
};

/** Tells the moderators of something of the community, and why (docs/product.md#moderation). */
export const ReportContentDialog = ({ reported, onClose }: { reported: Reportable; onClose: () => void }) => (
  <ReportWithReasons
    title={WORDS[reported.kind]}
    reasons={REASONS}
    readers="The people of Beltway look at it."
    send={(body) => reportContent({ ...body, kind: reported.kind, id: String(reported.id) })}
    onClose={onClose}
    onReported={() => {
      onClose();
      toast({ title: 'Reported', description: 'Thank you. We look at it.', at: window.location.pathname });
    }}
  />
);
