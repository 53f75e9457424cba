import type { Event } from '@beltway/contracts/catalog/events';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { texts } from './texts.en.ts';

/** The way to what was asked about an event on the message board, and to asking (services/realtime/PRODUCT.md#message-board). */
export function QuestionsLink({ event }: { event: Event }) {
  const t = useTexts(texts);
  return (
    <section aria-labelledby="questions-title" className="max-w-prose">
      <h2 id="questions-title" className="text-title">
        {t('questions')}
      </h2>
      <p className="mt-1 text-ink-soft">
        {t.rich('questionsOf', {
          link: (words) => <TextLink to={`/community/questions?event=${event.id}`}>{words}</TextLink>,
        })}
      </p>
    </section>
  );
}
