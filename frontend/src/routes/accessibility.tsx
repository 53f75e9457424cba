import { ContactLink } from '../lib/contact-link.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { Prose } from '../ui/prose.tsx';

/** docs/product.md#policies */
export function Component() {
  usePageTitle('Accessibility');
  return (
    <Prose
      title="Accessibility"
      lead="Beltway is for everybody. We build it to the Web Content Accessibility Guidelines 2.2, level AA."
      updated="November 23, 2026"
    >
      <h2>What you can count on</h2>
      <ul>
        <li>Everything works by keyboard alone; what has the focus is always seen, and Back closes what is open.</li>
        <li>Screen readers hear names, states and errors. Dates and prices are read as people say them.</li>
        <li>Text keeps its contrast in the light theme and in the dark one, and can be enlarged to 200%.</li>
        <li>Pages work on screens 320 pixels wide. Buttons are large enough for a thumb.</li>
        <li>If your device asks for less motion, nothing moves.</li>
        <li>What is typed is kept when something goes wrong; errors stand at their field and say how to mend them.</li>
      </ul>
      <h2>How we check</h2>
      <p>
        Each screen is checked by axe, in both themes and on small and large screens, whenever the code changes. That
        finds many faults, and not all: it is not the word of an independent auditor.
      </p>
      <h2>What may still be hard</h2>
      <ul>
        <li>
          Pictures that organisers upload have no description of their own; the event&apos;s title stands beside them.
        </li>
        <li>The card form belongs to the card provider.</li>
        <li>
          Whether a place can be reached without steps is known to its organiser. The descriptions of events do not
          always say it.
        </li>
      </ul>
      <h2>Tell us</h2>
      <p>
        If something keeps you out, <ContactLink />: what you wanted to do, and with which device. We also help you buy
        a ticket another way.
      </p>
    </Prose>
  );
}
