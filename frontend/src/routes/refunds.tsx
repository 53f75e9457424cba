import { Link } from 'react-router-dom';
import { ContactLink } from '../lib/contact-link.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { Prose } from '../ui/prose.tsx';

/** The rules of docs/product.md#refunds, for people. */
export function Component() {
  usePageTitle('Refunds');
  return (
    <Prose title="Refunds" lead="When you get your money back, how much, and how." updated="November 23, 2026">
      <h2>The event is cancelled</h2>
      <ul>
        <li>Every order is refunded by itself, the whole price. You do not have to ask.</li>
        <li>
          A first mail says that the refund was asked for, a second one that it was sent. If it fails, another mail says
          so, and it is tried again.
        </li>
        <li>The money goes to the card you paid with. How soon you see it is up to your bank, often some days.</li>
        <li>
          Your tickets are void from the moment of cancelling, and show as cancelled in{' '}
          <Link to="/my-tickets">My Tickets</Link> and behind the link in your mail.
        </li>
      </ul>
      <h2>You paid, and there were no tickets left</h2>
      <p>
        If your payment arrives after your hold has ended and the tickets are gone, it is refunded at once, whole, and a
        mail tells you. Nobody pays for nothing.
      </p>
      <h2>You cannot come</h2>
      <ul>
        <li>
          The organiser says until when you may cancel, by default until 24 hours before the event. It stands on the
          event’s page and in the checkout before you pay, and what you were promised then stays so.
        </li>
        <li>
          Cancel all or some of your tickets on the page of your order, which <Link to="/my-tickets">My Tickets</Link>{' '}
          and the link in your mail open. You get the whole price of each back.
        </li>
        <li>The codes of cancelled tickets end at once, and the tickets are on sale again.</li>
        <li>
          While an event is postponed you may cancel at any time, unless its tickets could never be cancelled. After the
          deadline only the organiser can refund you: <ContactLink />, with the number of your order.
        </li>
      </ul>
      <h2>The organiser refunds you</h2>
      <p>The organiser and Beltway may refund an order, or some of its tickets, at any time. A mail tells you.</p>
      <h2>A payment you do not know</h2>
      <p>
        <ContactLink>Write to us</ContactLink> first, with the day and the amount. While your bank disputes a payment
        its tickets admit nobody; taken back by the dispute, they end.
      </p>
      <h2>Our fee</h2>
      <p>A refund gives back all you paid. The 5% that Beltway keeps of an order goes back with it.</p>
      <h2>Tickets bought elsewhere</h2>
      <p>What you buy on another site, such as a marketplace with a discount, is refunded by that site.</p>
    </Prose>
  );
}
