import { ContactMessage } from '@beltway/contracts/identity/contact';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { patch } from '../../lib/http/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './messages.texts.en.ts';

/** Contact messages, newest first, with their text as typed. */
export const MessageList = ({ messages }: { messages: readonly ContactMessage[] }) => (
  <ul className="grid gap-4">
    {messages.map((message) => (
      <li key={message.id}>
        <Message message={message} />
      </li>
    ))}
  </ul>
);

function Message({ message }: { message: ContactMessage }) {
  const t = useTexts(texts);
  const { id, email, phone, comments, createdAt, answeredAt } = message;
  const mark = useAction({
    mutationFn: (answered: boolean) => patch(`/api/contact-messages/${id}`, { answered }, ContactMessage),
    refresh: [['/api/contact-messages']],
    failed: t('notChanged'),
  });
  return (
    <article aria-label={t('from', { email })} className="rounded-lg border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-strong break-all">{email}</span>
        {phone && <span className="tabular text-ink-soft">{phone}</span>}
        <Meta as="time" dateTime={createdAt} className="tabular ml-auto">
          {formatMoment(createdAt)}
        </Meta>
      </p>
      <p className="mt-2 max-w-prose whitespace-pre-wrap">{comments}</p>
      <p className="mt-3 flex flex-wrap items-center gap-2">
        <a
          href={`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t('subject'))}`}
          className={buttonClass('secondary')}
        >
          {t('answerByMail')}
        </a>
        <Button variant="quiet" pending={mark.isPending} onClick={() => mark.mutate(answeredAt === null)}>
          {t(answeredAt === null ? 'markAnswered' : 'markOpen')}
        </Button>
        {answeredAt !== null && <Badge tone="success">{t('answeredAt', { when: formatMoment(answeredAt) })}</Badge>}
      </p>
    </article>
  );
}
