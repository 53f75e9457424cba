import { useSyncExternalStore } from 'react';

/** Milliseconds; frontend/PRODUCT.md#toasts-and-tooltips */
export const TOAST_DURATION = 5_000;
const REMOVE_AFTER = 1_000_000;
const LIMIT = 1;

export interface ToastContent {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** The path of the page that it is about, when that is being navigated to: it stays until that page is left. */
  at?: string;
  /** Where one goes on. It is found elsewhere too: toasts leave. */
  link?: { to: string; text: string };
}
export interface ToastItem extends ToastContent {
  id: number;
  open: boolean;
  page: string;
  /** True once its page has been shown: leaving that page closes it. */
  isThere: boolean;
  /** The slot of the dialog that was open when it was raised; null when it belongs to the page. */
  dialog: HTMLElement | null;
}

interface Toasts {
  items: readonly ToastItem[];
  /** The slot of the dialog on top, where toasts are shown while it is open; null without a dialog. */
  slot: HTMLElement | null;
}

let toasts: Toasts = { items: [], slot: null };
let slots: readonly HTMLElement[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function update(change: Partial<Toasts>): void {
  toasts = { ...toasts, ...change };
  for (const listener of listeners) listener();
}

const closeWhere = (isOver: (item: ToastItem) => boolean): readonly ToastItem[] =>
  toasts.items.map((item) => (isOver(item) ? { ...item, open: false } : item));

/**
 * Shows a short message, from anywhere: one at a time, a new one takes the place of the last. For what has no place of its own on the
 * screen: what is wrong with a field belongs at the field.
 * - It belongs to the dialog that is open, else to the page, and leaves with it. On the way to another page say which: `at: '/event/7'`.
 * - In a dialog it takes room above the buttons. On a page it lies where it covers no control; mark what it may never cover, such as
 *   a ticket's code, with `data-keep-clear`.
 *
 * Answers its id.
 */
export function openToast({ at, ...content }: ToastContent): number {
  lastId += 1;
  const page = at ?? window.location.pathname;
  const dialog = at === undefined ? (slots.at(-1) ?? null) : null;
  const item = { ...content, id: lastId, open: true, page, isThere: page === window.location.pathname, dialog };
  update({ items: [item, ...toasts.items].slice(0, LIMIT) });
  return lastId;
}

/** As `openToast`, without the id. */
export const toast = (content: ToastContent): void => void openToast(content);

export function dismissToast(id: number): void {
  update({ items: closeWhere((item) => item.id === id) });
  setTimeout(() => update({ items: toasts.items.filter((item) => item.id !== id) }), REMOVE_AFTER);
}

/** To call when another page is shown: closes the toasts of the one before. */
export function showsPage(path: string): void {
  const items = closeWhere((item) => item.isThere && item.page !== path);
  update({ items: items.map((item) => (item.page === path ? { ...item, isThere: true } : item)) });
}

/** The `ref` of the place for toasts in a dialog. When the dialog closes, its toasts close. */
export function toastSlot(slot: HTMLElement | null): (() => void) | undefined {
  if (!slot) return undefined;
  slots = [...slots, slot];
  update({ slot });
  return () => {
    slots = slots.filter((other) => other !== slot);
    update({ slot: slots.at(-1) ?? null, items: closeWhere(({ dialog }) => dialog === slot) });
  };
}

export const useToasts = (): Toasts =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
