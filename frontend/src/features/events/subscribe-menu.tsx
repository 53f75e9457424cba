import CalendarSync from 'lucide-react/icons/calendar-sync';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Button } from '../../ui/button.tsx';
import { lazyMenu } from '../../ui/menu.tsx';
import type { EventFilter } from './filter.ts';
import { texts } from './texts.en.ts';

const Options = lazyMenu(async () => (await import('./subscribe-options.tsx')).SubscribeOptions);

/** Subscribes to the current search in a calendar or feed reader, which keeps it up to date. */
export function SubscribeMenu({ filter }: { filter: EventFilter }) {
  const t = useTexts(texts);
  return (
    <Options
      filter={filter}
      trigger={
        <Button variant="quiet" className="px-3 text-note">
          <CalendarSync aria-hidden className="size-4" />
          {t('subscribe')}
        </Button>
      }
    />
  );
}
