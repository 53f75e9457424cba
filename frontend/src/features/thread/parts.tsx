import CalendarDays from 'lucide-react/icons/calendar-days';
import MapPin from 'lucide-react/icons/map-pin';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './texts.en.ts';

// Shared parts of the cards of posts and questions.

export const card =
  'grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-raised px-4 pb-2 pt-3 sm:px-5';
export const act =
  'tabular inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full px-3 font-strong hover:bg-sunken [&_svg]:size-5';
export const chip =
  'inline-flex min-h-11 items-center gap-1.5 underline-offset-4 hover:underline [&_svg]:size-4 [&_svg]:shrink-0';

/** Visible to screen readers only. */
export const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;

interface SubjectProps {
  of: { eventId: number | null; eventTitle: string | null };
  place: { id: string; name: string; state: string } | null;
  /** The path of the list of posts or questions. */
  list: string;
}

/** Links to the event and place of a contribution. */
export function Subject({ of: { eventId, eventTitle }, place, list }: SubjectProps) {
  const t = useTexts(texts);
  return (
    <>
      {eventId !== null && (
        <Link to={`/event/${eventId}`} className={chip}>
          <CalendarDays aria-hidden />
          <bdi className="wrap-anywhere">{eventTitle ?? t('eventNumber', { number: String(eventId) })}</bdi>
        </Link>
      )}
      {place && (
        <Link to={`${list}?place=${place.id}`} className={chip}>
          <MapPin aria-hidden />
          {t('placeIn', { name: place.name, state: place.state })}
        </Link>
      )}
    </>
  );
}

interface MarkButtonProps {
  isOn: boolean;
  pending?: boolean;
  className?: string;
  onPress: () => void;
  children: ReactNode;
}

/** Sets or removes a like or follow. Visitors sign in first. */
export function MarkButton({ isOn, pending = false, className, onPress, children }: MarkButtonProps) {
  const { token } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={pending}
      onClick={() => (token ? onPress() : void navigate(signInPath(pathname + search)))}
      className={cx(act, className)}
    >
      {children}
    </button>
  );
}
