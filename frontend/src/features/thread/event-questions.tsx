import type { Event } from '@beltway/contracts/catalog/events';
import { useInfiniteQuery } from '@tanstack/react-query';
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import { useRef } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { QuestionCard } from './question-card.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { useQuestionDialogs } from './question-dialogs.tsx';
import { questionsQuery } from './questions-api.ts';
import { texts } from './questions.texts.en.ts';

/**
 * The message board's questions about an event, and the form to ask one (services/realtime/PRODUCT.md#message-board).
 */
export function EventQuestions({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const place = useRef<HTMLElement>(null);
  const [isAsking, setAsking] = useDialogEntry('ask');
  const focus = () => place.current?.focus({ preventScroll: true });
  const { actions, dialogs } = useQuestionDialogs({ onRemoved: focus, onBlocked: focus });
  const found = useInfiniteQuery(
    questionsQuery({ q: '', category: '', place: '', event: String(event.id), answered: '' }),
  );
  const asking = (
    <>
      <MessageCircleQuestion aria-hidden className="size-4" />
      {t(user ? 'ask' : 'signInToAsk')}
    </>
  );
  return (
    <section ref={place} tabIndex={-1} aria-label={t('title')} className="grid gap-5 outline-none">
      {user ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
          {asking}
        </Button>
      ) : (
        <ButtonLink variant="secondary" className="justify-self-start" to={signInPath(`/event/${event.id}#ask`)}>
          {asking}
        </ButtonLink>
      )}
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('whatQuestions')}
        skeleton={{ className: 'h-36', of: 'cards' }}
        empty={<p className="text-ink-soft">{t('none')}</p>}
      >
        {(listed) => (
          <ul aria-label={t('title')} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {listed.map((question) => (
              <li key={question.id}>
                <QuestionCard question={question} actions={actions} isOfEvent />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {isAsking && user && (
        <QuestionDialog
          userId={user.id}
          about={{ eventId: String(event.id), place: '', category: '' }}
          onClose={() => setAsking(false)}
          onSaved={() => setAsking(false)}
        />
      )}
      {dialogs}
    </section>
  );
}
