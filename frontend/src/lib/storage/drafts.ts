import type { ZodType } from 'zod';

const PREFIX = 'beltway.draft.';

/** This tab's unsent input. It survives a reload, Back and signing in again; signing out deletes it. */
export const drafts = {
  /** null if there is no draft, or the draft belongs to another user or to another release of the page. */
  read<T>(name: string, userId: number, schema: ZodType<T>): T | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') as { userId: number; value: unknown };
      return kept.userId === userId ? schema.parse(kept.value) : null;
    } catch {
      return null;
    }
  },
  /** False if the storage is full: browsers allow about 5 MB. */
  write(name: string, userId: number, value: unknown): boolean {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify({ userId, value }));
      return true;
    } catch {
      sessionStorage.removeItem(PREFIX + name);
      return false;
    }
  },
  drop(name: string): void {
    sessionStorage.removeItem(PREFIX + name);
  },
  dropAll(): void {
    for (const slot of Object.keys(sessionStorage)) if (slot.startsWith(PREFIX)) sessionStorage.removeItem(slot);
  },
};
