import { Suspense } from 'react';
import { useToasts } from './toast.ts';
import { lazily } from '../lib/loading/lazily.ts';

const ToastRegion = lazily(async () => (await import('./toast-region.tsx')).ToastRegion);

/** Where toasts appear. Its code is fetched with the first one. */
export function Toaster() {
  const { items, slot } = useToasts();
  return items.length > 0 ? (
    <Suspense>
      <ToastRegion toasts={items} slot={slot} />
    </Suspense>
  ) : null;
}
