import { useSyncExternalStore } from 'react';

/** In milliseconds (frontend/PRODUCT.md#toasts-and-tooltips). */
export const TOAST_DURATION = 5_000;
const REMOVE_AFTER = 1_000_000;
const LIMIT = 1;

export interface ToastContent {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** The path of the page to which the app navigates. The toast stays until the user leaves that page. */
  at?: string;
  /** The next step. It must be reachable elsewhere too, because toasts disappear. */
  link?: { to: string; text: string };
}
export interface ToastItem extends ToastContent {
  id: number;
  open: boolean;
  page: string;
  /** True once the toast's page has been shown. From then on, leaving that page closes the toast. */
  isThere: boolean;
  /** The slot of the dialog that was open when the toast was created; null if it belongs to the page. */
  dialog: HTMLElement | null;
}

interface Toasts {
  items: readonly ToastItem[];
  /** The slot of the top dialog, which shows the toasts while it is open; null without a dialog. */
  slot: HTMLElement | null;
  /** The page's strip below the header; null while no page is shown. */
  strip: HTMLElement | null;
}

let toasts: Toasts = { items: [], slot: null, strip: null };
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
 * Shows a short message. There is one toast at a time; a new toast replaces the last toast. Use toasts for messages
 * that have no element on screen. A field's error belongs at the field.
 * - A toast belongs to the open dialog, or to the page if no dialog is open. It closes together with that dialog or
 *   page. While navigating, pass the target page as `at`.
 * - In a dialog it appears above the buttons. On a page it appears in a strip below the header, which moves the page
 *   down, so that the toast covers nothing.
 * - A toast must not repeat what the screen shows, unless the specification requires the repetition.
 *
 * Returns its id.
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

/** Closes the previous page's toasts. Call it when another page is shown. */
export function showsPage(path: string): void {
  const items = closeWhere((item) => item.isThere && item.page !== path);
  update({ items: items.map((item) => (item.page === path ? { ...item, isThere: true } : item)) });
}

/** The `ref` of a dialog's toast container. The dialog's toasts close together with it. */
export function toastSlot(slot: HTMLElement | null): (() => void) | undefined {
  if (!slot) return undefined;
  slots = [...slots, slot];
  update({ slot });
  return () => {
    slots = slots.filter((other) => other !== slot);
    update({ slot: slots.at(-1) ?? null, items: closeWhere(({ dialog }) => dialog === slot) });
  };
}

/** The `ref` of the page's strip for toasts. */
export function toastStrip(strip: HTMLElement | null): (() => void) | undefined {
  if (!strip) return undefined;
  update({ strip });
  return () => update({ strip: null });
}

export const useToasts = (): Toasts =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
