import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../lib/public-config.ts';

/** The support address with the order's number; nothing where no address is configured. */
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
