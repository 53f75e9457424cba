import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../lib/public-config.ts';

/** Whom to ask, where somebody is named, and what to call the order then. */
export function Support({ orderNumber = null }: { orderNumber?: string | null }) {
  const email = useQuery(configQuery()).data?.supportEmail;
  return (
    email && (
      <p>
        Questions? Write to{' '}
        <a href={`mailto:${email}`} className="text-ink underline [overflow-wrap:anywhere]">
          {email}
        </a>
        {orderNumber && <span className="tabular"> and name order {orderNumber}</span>}.
      </p>
    )
  );
}
