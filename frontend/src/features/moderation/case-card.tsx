import {
  ReportReason,
  type ActOnCaseBody,
  type CaseAction,
  type ModerationCase,
} from '@beltway/contracts/identity/moderation';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field, Select, Textarea, TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { actOnCase, decideAppeal, useRefreshModeration } from './api.ts';
import { Decisions } from './decisions.tsx';
import { texts as queueTexts } from './queue.texts.en.ts';
import { texts } from './texts.en.ts';

/** Days of a suspension; without days, it is permanent. */
const SPANS = [
  ['1', 'aDay'],
  ['7', 'aWeek'],
  ['30', 'thirtyDays'],
  ['', 'forGood'],
] as const;
/** Actions that notify the author require a reason. */
const isHarsh = (action: CaseAction) =>
  action === 'hide' || action === 'remove' || action === 'warn' || action === 'suspend';

interface CaseCardProps {
  found: ModerationCase;
  /** Called after a decision, to move the focus, because the card may leave the list. */
  onDone: () => void;
}

/** Reported content with its reports and the moderator's actions. */
export function CaseCard({ found, onDone }: CaseCardProps) {
  const { id, kind, contentId, excerpt, path, author, standing, reports, decisions, state, openReports } = found;
  const t = useTexts(queueTexts);
  const say = useTexts(texts);
  const refresh = useRefreshModeration();
  const [asked, setAsked] = useState<CaseAction | null>(null);
  const act = useAction({
    mutationFn: (body: ActOnCaseBody) => actOnCase(id, body),
    done: (_answer, { action }) => ({ title: say(`${action}Done`) }),
    onSuccess: () => {
      setAsked(null);
      onDone();
    },
    failed: t('notChanged'),
    onSettled: refresh,
  });
  const decide = useAction({
    mutationFn: (outcome: 'upheld' | 'reversed') => decideAppeal(id, { outcome }),
    done: { title: t('appealDecided') },
    onSuccess: onDone,
    failed: t('notChanged'),
    onSettled: refresh,
  });
  const reason = reports[0]?.reason ?? 'other';
  const title = `${say(kind)} ${contentId}`;
  return (
    <Card as="article" ground="raised" aria-label={title} className="gap-3">
      <h2 className="text-title">{title}</h2>
      <Meta>
        {t('openReports', { standing: say(standing), count: openReports })}
        {author
          ? t.rich(author.isSuspended ? 'bySuspended' : 'by', {
              who: () => <bdi>{author.name ?? t('deletedAccount')}</bdi>,
              id: String(author.id),
            })
          : t('byNobody')}
      </Meta>
      {excerpt && (
        <blockquote className="border-l-4 border-line pl-3 whitespace-pre-line wrap-anywhere">
          <bdi>{excerpt}</bdi>
        </blockquote>
      )}
      <TextLink to={path} className="justify-self-start">
        {t('whereItIs')}
      </TextLink>
      {reports.length > 0 && (
        <ul aria-label={t('reports')} className="grid gap-1.5">
          {reports.map(({ reason: said, note, at }) => (
            <li key={at} className="text-note wrap-anywhere">
              {t.rich('report', {
                reason: () => <span className="font-strong">{say(said)}</span>,
                note: note ?? '',
                said: (words) => note && <span className="whitespace-pre-line">{words}</span>,
                when: () => <span className="text-ink-soft">{formatMoment(at)}</span>,
              })}
            </li>
          ))}
        </ul>
      )}
      {decisions.length > 0 && <Decisions decisions={decisions} />}
      {state === 'appealed' ? (
        <div className="flex flex-wrap gap-3">
          <Button pending={decide.isPending} onClick={() => decide.mutate('upheld')}>
            {t('keepDecision')}
          </Button>
          <Button variant="secondary" disabled={decide.isPending} onClick={() => decide.mutate('reversed')}>
            {t('reverseDecision')}
          </Button>
        </div>
      ) : asked ? (
        <ActForm
          action={asked}
          reason={reason}
          isPending={act.isPending}
          onBack={() => setAsked(null)}
          onAct={(body) => act.mutate({ ...body, action: asked, seen: found.seen })}
        />
      ) : (
        <div className="flex flex-wrap gap-3">
          {found.actions.map((action) => (
            <Button
              key={action}
              variant={action === 'keep' ? 'primary' : isHarsh(action) ? 'secondary' : 'quiet'}
              disabled={act.isPending}
              onClick={() => (isHarsh(action) ? setAsked(action) : act.mutate({ action, reason, seen: found.seen }))}
            >
              {say(action)}
            </Button>
          ))}
        </div>
      )}
    </Card>
  );
}

interface ActFormProps {
  action: CaseAction;
  /** The reason of the reports. */
  reason: ReportReason;
  isPending: boolean;
  onBack: () => void;
  onAct: (body: Pick<ActOnCaseBody, 'reason' | 'days' | 'note'>) => void;
}

/** The reason, the note to the author, and the duration of a suspension. */
function ActForm({ action, isPending, onBack, onAct, ...given }: ActFormProps) {
  const t = useTexts(queueTexts);
  const say = useTexts(texts);
  const [reason, setReason] = useState(given.reason);
  const [days, setDays] = useState('7');
  const [note, setNote] = useState('');
  return (
    <form
      aria-label={say(action)}
      className="grid gap-3 sm:max-w-md"
      onSubmit={(event) => {
        event.preventDefault();
        const said = note.trim();
        onAct({
          reason,
          ...(action === 'suspend' && days !== '' && { days: Number(days) }),
          ...(said !== '' && { note: said }),
        });
      }}
    >
      <Field label={t('reason')}>
        <Select autoFocus value={reason} onChange={({ target }) => setReason(target.value as ReportReason)}>
          {ReportReason.options.map((value) => (
            <option key={value} value={value}>
              {say(value)}
            </option>
          ))}
        </Select>
      </Field>
      {action === 'suspend' && (
        <Field label={t('forHowLong')}>
          <Select value={days} onChange={({ target }) => setDays(target.value)}>
            {SPANS.map(([value, label]) => (
              <option key={label} value={value}>
                {t(label)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <TextField
        label={t('note')}
        hint={t('noteHint')}
        as={Textarea}
        rows={2}
        maxLength={500}
        optional
        value={note}
        onChange={setNote}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" pending={isPending}>
          {say(action)}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {t('back')}
        </Button>
      </div>
    </form>
  );
}
