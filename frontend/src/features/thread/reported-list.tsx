import type { ModeratedComment, ModerationAction } from '@beltway/contracts/realtime/comments';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { texts as reportTexts } from '../../lib/report/texts.en.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { moderateComment, REPORTED } from './comments-api.ts';
import { texts } from './reported.texts.en.ts';
import { Words } from './words.tsx';

type PerAction = Record<ModerationAction, string>;
const DONE = { hide: 'hiddenNow', restore: 'restoredNow', keep: 'keptNow' } as const satisfies PerAction;
const LOGGED = { hide: 'hiddenBy', restore: 'restoredBy', keep: 'keptBy' } as const satisfies PerAction;

interface ReportedListProps {
  comments: readonly ModeratedComment[];
  isAdmin: boolean;
  /** Called after a decision, to move the focus, because the comment may leave the list. */
  onDone: () => void;
}

/** Reported and hidden comments with their reports and moderation log. */
export const ReportedList = ({ comments, ...rest }: ReportedListProps) => (
  <ul className="grid gap-4">
    {comments.map((comment) => (
      <li key={comment.id}>
        <Reported comment={comment} {...rest} />
      </li>
    ))}
  </ul>
);

function Reported({ comment, isAdmin, onDone }: Omit<ReportedListProps, 'comments'> & { comment: ModeratedComment }) {
  const t = useTexts(texts);
  const sayReason = useTexts(reportTexts);
  const queries = useQueryClient();
  const { id, author, eventId, eventTitle, text, state, reports, log } = comment;
  const act = useMutation({
    mutationFn: (action: ModerationAction) => moderateComment(id, action),
    onSuccess: (_answer, action) => {
      toast({ title: t(DONE[action]) });
      onDone();
    },
    onError: (error) => toast({ title: t('notChanged'), description: explain(error), variant: 'destructive' }),
    // Refetches after a failure too, because another moderator may have decided.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [REPORTED] }),
        queries.invalidateQueries({ queryKey: ['/api/comments', eventId] }),
      ]),
  });
  const isHidden = state === 'hidden';
  const mayRestore = isAdmin || !comment.isHiddenByAdmin;
  return (
    <article
      aria-label={t('commentBy', { name: author.name })}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4 md:p-5"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-strong wrap-anywhere">{author.name}</bdi>
        {isHidden && <Badge tone="warning">{t('isHidden')}</Badge>}
        <time dateTime={comment.createdAt} className="tabular ml-auto text-note text-ink-soft">
          {formatMoment(comment.createdAt)}
        </time>
      </p>
      <Words>{text}</Words>
      <p className="text-note text-ink-soft">
        {t.rich('below', {
          event: () => (
            <Link to={`/event/${eventId}#comments`} className="font-strong underline underline-offset-4">
              {eventTitle}
            </Link>
          ),
        })}
        {comment.editedAt && t('edited', { when: formatMoment(comment.editedAt) })}
      </p>
      {reports.length > 0 && (
        <div>
          <h2 className="text-note font-strong">{t('reports')}</h2>
          <ul className="mt-1 grid gap-1.5 text-note">
            {reports.map((report, at) => (
              <li key={at} className="wrap-anywhere">
                {[sayReason(report.reason), formatMoment(report.at), ...(report.isSettled ? [t('settled')] : [])].join(
                  ' · ',
                )}
                {report.note && <bdi className="block whitespace-pre-wrap text-ink-soft">{report.note}</bdi>}
                {report.text && (
                  <span className="block text-ink-soft">
                    {t.rich('saidThen', { words: () => <bdi className="whitespace-pre-wrap">{report.text}</bdi> })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {log.length > 0 && (
        <ul aria-label={t('log')} className="grid gap-1 text-note text-ink-soft">
          {log.map((line, at) => (
            <li key={at}>
              {t.rich(LOGGED[line.action], {
                who: () => (line.moderator ? <bdi>{line.moderator.name}</bdi> : t('anAdmin')),
                when: formatMoment(line.at),
              })}
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap gap-2">
        {isHidden ? (
          mayRestore && (
            <Button variant="secondary" pending={act.isPending} onClick={() => act.mutate('restore')}>
              {t('restore')}
            </Button>
          )
        ) : (
          <>
            <Button variant="secondary" pending={act.isPending} onClick={() => act.mutate('hide')}>
              {t('hide')}
            </Button>
            <Button variant="quiet" disabled={act.isPending} onClick={() => act.mutate('keep')}>
              {t('keep')}
            </Button>
          </>
        )}
        {isHidden && !mayRestore && <span className="text-note text-ink-soft">{t('onlyAdmin')}</span>}
      </p>
    </article>
  );
}
