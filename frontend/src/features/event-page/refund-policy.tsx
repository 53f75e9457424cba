import type { Event } from '@beltway/contracts/catalog';
import { Link } from 'react-router-dom';
import { refundPromise } from '@beltway/contracts/refund-promise';

/** What happens to the money when the event does not take place (docs/product.md#refunds); nothing where no ticket is sold. */
export const RefundPolicy = ({ event }: { event: Event }) =>
  event.hasTickets && (
    <section aria-labelledby="refunds-title" className="max-w-prose">
      <h2 id="refunds-title" className="text-title">
        Refunds
      </h2>
      <p className="mt-1 text-ink-soft">
        {event.status === 'cancelled'
          ? 'The organiser cancelled: every order is refunded by itself, the whole price.'
          : `${refundPromise(event.refundDeadlineHours)} If the organiser cancels, every order is refunded by itself, the whole price.`}{' '}
        <Link to="/refunds" className="underline underline-offset-4">
          How refunds work
        </Link>
      </p>
    </section>
  );
