import { Link } from 'react-router-dom';
import { ContactLink } from '../lib/contact-link.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { Prose } from '../ui/prose.tsx';

/** The rules of docs/product.md, for people (docs/product.md#policies). */
export function Component() {
  usePageTitle('Terms');
  return (
    <Prose
      title="Terms"
      lead="How Beltway works for those who go out and for those who put something on."
      updated="November 23, 2026"
    >
      <h2>Who does what</h2>
      <p>
        An organiser announces an event, holds it and answers for it. Beltway shows it, sells its tickets, and pays the
        money back when it is cancelled. Anybody may look, and buy as a guest; launching an event takes an account.
      </p>
      <h2>Prices and fees</h2>
      <ul>
        <li>
          You pay the price of the ticket times their number. Nothing is added: no service fee, no processing fee.
        </li>
        <li>The price is the one at the time when your tickets were held for you.</li>
        <li>Beltway keeps 5% of each order. The organiser gets the other 95%.</li>
        <li>Announcing an event costs nothing.</li>
      </ul>
      <h2>Buying</h2>
      <ul>
        <li>
          Opening the checkout holds a ticket for you, for ten minutes; you can extend that once. What is not paid by
          then goes back on sale.
        </li>
        <li>One purchase has one to ten tickets. Cards only.</li>
        <li>
          Money that arrives after your hold has ended buys tickets while there are enough left; otherwise it is
          refunded at once.
        </li>
        <li>Each ticket has a code. It admits one person, once. Show it to nobody but the door.</li>
        <li>
          The link in a guest&apos;s mail opens the order. Whoever has the link has the tickets: a new one ends the one
          before.
        </li>
      </ul>
      <p>
        When money comes back, and when it does not: <Link to="/refunds">Refunds</Link>.
      </p>
      <h2>Putting something on</h2>
      <ul>
        <li>
          What you announce is true, yours to announce, and takes place in or around Washington, Maryland or Virginia.
        </li>
        <li>The picture is one you may use.</li>
        <li>
          You can change an event, and cancel it. Cancelling is final: every buyer is refunded the whole price, and our
          5% goes back with it.
        </li>
        <li>The number of tickets cannot be lowered below what is sold and held.</li>
        <li>You see who comes: names and numbers of tickets. Use them for this event only.</li>
      </ul>
      <h2>What is not allowed</h2>
      <p>
        Events and comments that break the law, deceive or harass; advertising in comments; buying or holding tickets by
        programs to keep them from others; getting around the limits of the site. Admins can change or cancel such
        events. The organiser of an event and admins can hide comments below it.
      </p>
      <h2>If something goes wrong</h2>
      <p>
        The site can be away for a while, and an organiser can change an event. What you paid for a cancelled event
        comes back in any case. For anything else <ContactLink />.
      </p>
    </Prose>
  );
}
