import type { ConnectionState } from '@beltway/contracts/identity/connections';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { HttpError } from '../../lib/http/http.ts';
import { connectionQuery } from './api.ts';
import { ConnectionActions } from './connection-actions.tsx';
import { texts } from './texts.en.ts';

const STANDS = {
  none: 'meeting',
  asked: 'asked',
  'asks-you': 'asksYou',
  connected: 'connected',
} as const satisfies Record<ConnectionState, string>;

/** The connection between the reader and this profile's owner. Renders nothing if the two did not meet. */
export function WithPerson({ userId }: { userId: number }) {
  const t = useTexts(texts);
  const line = useRef<HTMLParagraphElement>(null);
  const { data, error } = useQuery(connectionQuery(userId));
  if (!data || (error instanceof HttpError && error.status === 404)) return null;
  return (
    <section
      aria-label={t('title')}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line bg-raised px-4 py-3 sm:px-5"
    >
      <p ref={line} tabIndex={-1} className="min-w-0 outline-none wrap-anywhere">
        {t(STANDS[data.state], { name: data.name })}
      </p>
      <ConnectionActions connection={data} onSaid={() => line.current?.focus()} />
    </section>
  );
}
