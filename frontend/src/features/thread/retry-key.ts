import { useRef } from 'react';
import { randomUuid } from '../../lib/browser/random-uuid.ts';

interface RetryKey {
  /** Returns the `Idempotency-Key` for this content. Sending the same content again creates no second contribution. */
  of: (sent: string) => string;
  /** Call after the server accepted the content, so that the same text sent again is a new contribution. */
  forget: () => void;
}

export function useRetryKey(): RetryKey {
  const last = useRef({ sent: '', key: '' });
  return {
    of: (sent) => {
      if (last.current.sent !== sent) last.current = { sent, key: randomUuid() };
      return last.current.key;
    },
    forget: () => {
      last.current = { sent: '', key: '' };
    },
  };
}
