import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../lib/public-config.ts';

/** Whom to ask, where somebody is named. */
export function Support() {
  const email = useQuery(configQuery()).data?.supportEmail;
  return (
    email && (
      <p>
        Questions? Write to{' '}
        <a href={`mailto:${email}`} className="text-ink underline">
          {email}
        </a>
        .
      </p>
    )
  );
}
