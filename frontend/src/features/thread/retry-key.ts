import { useRef } from 'react';
import { randomUuid } from '../../lib/browser/random-uuid.ts';

interface RetryKey {
  /** The `Idempotency-Key` of what is sent: sent again as it is, it is the same post, question, answer or comment. */
  of: (sent: string) => string;
  /** It was taken: the same words sent again are another one. */
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
