import { useTexts } from '../lib/i18n/catalog.ts';
import { texts } from './texts.en.ts';
import { useAllWaiting, waitingText } from './use-waiting.ts';

/** The number of items that wait for admins, shown beside a link to the inbox. Renders nothing for zero. */
export function WaitingBadge() {
  const t = useTexts(texts);
  const waiting = useAllWaiting();
  if (waiting.count === 0) return null;
  return (
    <span className="tabular ms-1.5 inline-block min-w-5 rounded-full bg-accent px-1 text-center text-note leading-5 font-strong text-on-accent">
      {t.rich('waiting', {
        count: waitingText(waiting),
        hidden: (words) => <span className="sr-only">{words}</span>,
      })}
    </span>
  );
}
