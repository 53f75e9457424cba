import { useSyncExternalStore } from 'react';

/** Specification 1, section 9. */
export const TOAST_DURATION = 5_000;
const REMOVE_AFTER = 1_000_000;
const LIMIT = 1;

export interface ToastContent {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
}
export interface ToastItem extends ToastContent {
  id: number;
  open: boolean;
}

let items: readonly ToastItem[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function update(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

/** Shows a short message, from anywhere. There is one at a time: a new one takes the place of the last. */
export function toast(content: ToastContent): void {
  lastId += 1;
  update([{ ...content, id: lastId, open: true }, ...items].slice(0, LIMIT));
}

export function dismissToast(id: number): void {
  update(items.map((item) => (item.id === id ? { ...item, open: false } : item)));
  setTimeout(() => update(items.filter((item) => item.id !== id)), REMOVE_AFTER);
}

export const useToasts = (): readonly ToastItem[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => items,
  );
