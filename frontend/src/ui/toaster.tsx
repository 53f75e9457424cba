import { Suspense } from 'react';
import { useToasts } from './toast.ts';
import { lazily } from '../lib/loading/lazily.ts';

const ToastRegion = lazily(async () => (await import('./toast-region.tsx')).ToastRegion);

/** The container of toasts. Its code loads with the first toast. */
export function Toaster() {
  const { items, slot, strip } = useToasts();
  return items.length > 0 ? (
    <Suspense>
      <ToastRegion toasts={items} slot={slot} strip={strip} />
    </Suspense>
  ) : null;
}
