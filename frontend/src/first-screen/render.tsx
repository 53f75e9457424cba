import type { FirstScreenOrder, FirstScreens } from '@beltway/contracts/common/first-screen';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { Welcome } from '../features/auth/welcome.tsx';
import { CheckoutOpening } from '../features/checkout/opening.tsx';
import { EventArticle } from '../features/event-page/event-article.tsx';
import { EventGrid } from '../features/event-page/event-grid.tsx';
import { texts as eventTexts } from '../features/event-page/texts.en.ts';
import { TicketsBox } from '../features/event-page/tickets-box.tsx';
import { Offer } from '../features/events/offer.tsx';
import { ComingUp } from '../features/home/coming-up.tsx';
import { Hero } from '../features/home/hero.tsx';
import { StreamSpace } from '../features/live/stream-space.tsx';
import { nameless } from '../features/organizer/organizer-name.tsx';
import { OrganizerOpening } from '../features/organizer/organizer-opening.tsx';
import { PostsOpening } from '../features/thread/posts-opening.tsx';
import { BOTTOM_BAR, FRAME, HeaderBar, MAIN } from '../layout/frame.tsx';
import { textsNow, textsOfLoaded } from '../lib/i18n/catalog.ts';
import { setLanguage } from '../lib/i18n/language.ts';
import { setServerTime } from '../lib/time/server-clock.ts';
import { texts } from '../lib/i18n/texts.en.ts';

// The gateway runs this in a separate process (docs/decisions/0107). It renders the page's components without a browser
// and omits everything that depends on the visitor.

function pageOf(order: FirstScreenOrder): ReactNode {
  switch (order.screen) {
    case 'home':
      return (
        <div className="relative">
          <Hero>
            <ComingUp events={order.comingUp} />
          </Hero>
        </div>
      );
    case 'event': {
      const { event } = order;
      const isLive = event.isLivestream && event.livestreamStatus === 'live';
      return (
        <EventGrid
          top={isLive && <StreamSpace event={event} />}
          article={<EventArticle event={event} />}
          side={<TicketsBox event={event} />}
        />
      );
    }
    case 'checkout':
      return <CheckoutOpening event={order.event} />;
    case 'organizer': {
      const { organizer, next } = order;
      return <OrganizerOpening organizer={organizer} event={next} offer={next && <Offer event={next} />} />;
    }
    case 'auth':
      return <Welcome />;
    case 'community':
      return <PostsOpening />;
  }
}

/** Loads the texts of all languages, because rendering is synchronous. */
export const prepare: FirstScreens['prepare'] = async () => void (await textsOfLoaded('es'));

export const headTexts: FirstScreens['headTexts'] = (language) => {
  setLanguage(language);
  return {
    siteTitle: textsNow(texts)('siteTitle'),
    pictureOf: textsNow(eventTexts)('pictureOf', { title: '{title}' }),
    nameless: nameless(),
  };
};

/** The HTML of a first screen. */
export const render: FirstScreens['render'] = (order) => {
  setLanguage(order.language);
  setServerTime(order.now);
  return renderToStaticMarkup(
    // Only the community's tabs depend on the path.
    <MemoryRouter initialEntries={['/community']}>
      <div className={FRAME}>
        <HeaderBar />
        <main className={MAIN}>{pageOf(order)}</main>
        {/* The checkout has no bottom bar. */}
        {order.screen !== 'checkout' && (
          <div className={BOTTOM_BAR}>
            <div className="min-h-14" />
          </div>
        )}
      </div>
    </MemoryRouter>,
  );
};
