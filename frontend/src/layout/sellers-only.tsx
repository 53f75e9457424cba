import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

/** In place of a page about sales, for accounts that sell nothing. */
export const SellersOnly = () => (
  <div className="page py-12">
    <EmptyState heading="h1" title="For business accounts" action={<ButtonLink to="/">Back to the feed</ButtonLink>}>
      Sales, payouts and customers are shown to those who sell tickets.
    </EmptyState>
  </div>
);
