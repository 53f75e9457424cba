import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { configQuery } from '../../lib/http/public-config.ts';
import { texts } from './texts.en.ts';

/** The support email address with the order's number. Renders nothing if no email address is configured. */
export function Support({ orderNumber = null }: { orderNumber?: string | null }) {
  const t = useTexts(texts);
  const email = useQuery(configQuery()).data?.supportEmail;
  if (!email) return null;
  const mail = () => (
    <a href={`mailto:${email}`} className="text-ink underline wrap-anywhere">
      {email}
    </a>
  );
  return (
    <p>
      {orderNumber === null
        ? t.rich('questions', { mail })
        : t.rich('questionsOrder', {
            mail,
            number: orderNumber,
            order: (words) => <span className="tabular">{words}</span>,
          })}
    </p>
  );
}
