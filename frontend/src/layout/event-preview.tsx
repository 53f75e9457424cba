import type { Event } from '@beltway/contracts/catalog/events';
import { useState } from 'react';
import { EventArticle } from '../features/event-page/event-article.tsx';
import { EventCard } from '../features/events/event-card.tsx';
import { useTexts } from '../lib/i18n/catalog.ts';
import { Tabs } from '../ui/tabs.tsx';
import { texts } from './preview.texts.en.ts';

/** Previews an event before its launch, as a card and as its page. Nothing in it can be pressed. */
export function EventPreview({ event }: { event: Event }) {
  const t = useTexts(texts);
  const [shown, setShown] = useState('card');
  const named = { ...event, title: event.title || t('noTitle'), location: event.location || t('noPlace') };
  return (
    <section aria-labelledby="preview-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="preview-title" className="text-title">
        {t('preview')}
      </h3>
      <Tabs
        label={t('preview')}
        value={shown}
        onValueChange={setShown}
        tabs={[
          {
            value: 'card',
            label: t('card'),
            content: (
              <div inert className="max-w-md">
                <EventCard event={named} />
              </div>
            ),
          },
          {
            value: 'page',
            label: t('page'),
            content: (
              <div inert className="rounded-lg border border-line bg-ground p-4">
                <EventArticle event={named} />
              </div>
            ),
          },
        ]}
      />
    </section>
  );
}
