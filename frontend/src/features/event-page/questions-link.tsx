import type { Event } from '@beltway/contracts/catalog';
import { Link } from 'react-router-dom';

/** The way to what was asked about an event on the message board, and to asking (docs/product.md#message-board). */
export const QuestionsLink = ({ event }: { event: Event }) => (
  <section aria-labelledby="questions-title" className="max-w-prose">
    <h2 id="questions-title" className="text-title">
      Questions
    </h2>
    <p className="mt-1 text-ink-soft">
      What is answered once is found by everybody.{' '}
      <Link
        to={`/community/questions?event=${event.id}`}
        className="inline-flex min-h-11 items-center underline underline-offset-4"
      >
        Questions about this event
      </Link>
    </p>
  </section>
);
