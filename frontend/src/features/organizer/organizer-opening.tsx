import type { Event } from '@beltway/contracts/catalog/events';
import type { Organizer } from '@beltway/contracts/catalog/organizers';
import ExternalLink from 'lucide-react/icons/external-link';
import Flag from 'lucide-react/icons/flag';
import Plus from 'lucide-react/icons/plus';
import Share2 from 'lucide-react/icons/share-2';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { eventPath } from '../../lib/events/event-facts.ts';
import { When, Where } from '../../lib/events/event-lines.tsx';
import { EventPicture } from '../../lib/events/event-picture.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { texts as reportTexts } from '../../lib/report/button.texts.en.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Poster } from '../../ui/poster.tsx';
import { followersText, Initial, nameless } from './organizer-name.tsx';
import { texts } from './pages.texts.en.ts';
import { texts as followTexts } from './texts.en.ts';

export const ORGANIZER_PAGE = 'page grid grid-cols-[minmax(0,1fr)] gap-8 py-6 lg:gap-10 lg:py-10';

interface OrganizerHeaderProps {
  organizer: Organizer;
  /** Buttons beside the name. */
  actions: ReactNode;
}

/** Cover, picture, name, description and links of an organizer. */
export function OrganizerHeader({ organizer, actions }: OrganizerHeaderProps) {
  const t = useTexts(texts);
  const { name, about, links, followers, pictureUrl, coverUrl } = organizer;
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {coverUrl ? (
        <Poster
          src={coverUrl}
          alt=""
          priority
          sizes="(width >= 80rem) 76rem, 100vw"
          className="aspect-5/2 rounded-lg md:aspect-4/1"
        />
      ) : (
        <div aria-hidden className="grid h-20 place-items-end rounded-lg bg-accent-soft p-2 md:h-28">
          <Mark className="h-full text-accent-ink/25" />
        </div>
      )}
      <div className="flex flex-wrap items-end gap-x-5 gap-y-4">
        {pictureUrl ? (
          <Poster
            src={pictureUrl}
            alt=""
            priority
            sizes="8rem"
            className="-mt-14 ms-4 size-24 shrink-0 rounded-full border-4 border-ground md:size-32"
          />
        ) : (
          <Initial name={name} className="-mt-14 ms-4 size-24 border-4 border-ground text-heading md:size-32" />
        )}
        <div className="min-w-0 flex-1 basis-60">
          <Meta>{t('organizer')}</Meta>
          <h1 className="text-display wrap-anywhere">
            <bdi>{name ?? nameless()}</bdi>
          </h1>
          {followers > 0 && <p className="tabular text-ink-soft">{followersText(followers)}</p>}
        </div>
        <div className="flex min-h-11 flex-wrap gap-2">{actions}</div>
      </div>
      {about && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{about}</p>}
      {links.length > 0 && (
        <ul aria-label={t('links')} className="flex flex-wrap gap-x-5 gap-y-1">
          {links.map((link) => (
            <li key={link}>
              <a
                href={link}
                target="_blank"
                rel="noopener noreferrer nofollow ugc"
                className="inline-flex min-h-11 items-center gap-1.5 font-strong break-all underline underline-offset-4"
              >
                <ExternalLink aria-hidden className="size-4 shrink-0" />
                {hostOf(link)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}

/** Shortens a link for display, without protocol and `www`: "wharf.example/shows". */
const hostOf = (link: string): string => link.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

interface UpcomingProps {
  /** The next event. */
  event: Event | undefined;
  /** The event's tickets and its main button. */
  offer: ReactNode;
}

/** The organizer's next show as a large card. Without a next show: one sentence. */
function NextShow({ event, offer }: UpcomingProps) {
  const t = useTexts(texts);
  if (!event) return <p className="text-ink-soft">{t('nothingNow')}</p>;
  return (
    <article
      aria-labelledby="next-title"
      className="mb-5 grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-lg border border-line bg-surface shadow-card md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]"
    >
      <EventPicture event={event} priority sizes="(width >= 48rem) 45rem, 100vw" className="aspect-16/10" />
      <div className="grid content-center gap-3 p-5 md:p-8">
        <p className="text-note font-strong text-accent-ink">{t('nextShow')}</p>
        <h3 id="next-title" className="text-heading">
          <Link to={eventPath(event)} className="underline-offset-4 hover:underline">
            {event.title}
          </Link>
        </h3>
        <When event={event} className="font-strong" />
        <Where location={event.location} className="text-ink-soft" />
        {offer}
      </div>
    </article>
  );
}

/** The section of upcoming events. */
export function Upcoming({ children, ...next }: UpcomingProps & { children?: ReactNode }) {
  const t = useTexts(texts);
  return (
    <section aria-labelledby="upcoming-title">
      <h2 id="upcoming-title" className="mb-4 text-title">
        {t('upcoming')}
      </h2>
      <NextShow {...next} />
      {children}
    </section>
  );
}

/** The first screen in the HTML. Its buttons only keep the place of the page's buttons. */
export function OrganizerOpening({ organizer, ...next }: UpcomingProps & { organizer: Organizer }) {
  const t = useTexts(texts);
  const follow = useTexts(followTexts);
  const report = useTexts(reportTexts);
  const actions = (
    <>
      <Button variant="secondary" disabled>
        <Plus aria-hidden className="size-4" />
        {follow('follow')}
      </Button>
      <Button variant="secondary" disabled>
        <Share2 aria-hidden className="size-4" />
        {t('share')}
      </Button>
      <Button variant="quiet" disabled className="invisible px-3! text-note">
        <Flag aria-hidden className="size-4" />
        {report('account')}
      </Button>
    </>
  );
  return (
    <div className={ORGANIZER_PAGE}>
      <OrganizerHeader organizer={organizer} actions={actions} />
      <Upcoming {...next} />
    </div>
  );
}
