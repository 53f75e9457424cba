import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useLocation, useNavigate } from 'react-router-dom';
import { eventPath } from '../lib/events/event-facts.ts';
import { useTexts } from '../lib/i18n/catalog.ts';
import { ButtonLink } from '../ui/button.tsx';
import { texts } from './texts.en.ts';

/** The target of Back in a checkout that was opened by a link: the page of the product. */
export function beforeCheckout(pathname: string, search: string): string {
  const eventId = Number(new URLSearchParams(search).get('eventId'));
  if (eventId > 0) return eventPath({ id: eventId });
  return pathname === '/ad-checkout' ? '/ad-pricing' : '/';
}

/** Leads to the previous page, or to the product's page in a tab that was opened by a link. */
export function Back() {
  const t = useTexts(texts);
  const { key, pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <ButtonLink
      variant="quiet"
      to={beforeCheckout(pathname, search)}
      className="ms-auto"
      onClick={(pressed) => {
        const isPlain = !(pressed.metaKey || pressed.ctrlKey || pressed.shiftKey || pressed.altKey);
        if (key === 'default' || !isPlain) return;
        pressed.preventDefault();
        void navigate(-1);
      }}
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t('back')}
    </ButtonLink>
  );
}
