import { IdText } from '@beltway/contracts/common/basics';
import { useSearchParams } from 'react-router-dom';
import { ChooseEvent } from '../../features/promotion/choose-event.tsx';
import { Livestream } from '../../features/promotion/edit-livestream.tsx';
import { EventNotFound, OfEvent } from '../../features/promotion/of-event.tsx';
import { ofLevel } from '../../features/promotion/packages.ts';
import { texts as packageTexts } from '../../features/promotion/packages.texts.en.ts';
import { texts } from '../../features/promotion/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** The page where the organizer configures and pays for a live stream (services/catalog/PRODUCT.md#live-streams). */
export function Component() {
  // Loads texts that code outside of components reads: package names, and why an event has no packages.
  useTexts(packageTexts);
  usePageTitle(useTexts(texts)('streamLive'));
  const [params] = useSearchParams();
  const offer = ofLevel('livestream');
  const named = params.get('eventId');
  const id = IdText.safeParse(named);
  if (!named) return <ChooseEvent offer={offer} />;
  if (!id.success) return <EventNotFound offer={offer} />;
  return (
    <OfEvent key={id.data} eventId={id.data} offer={offer}>
      {(of) => <Livestream {...of} />}
    </OfEvent>
  );
}
