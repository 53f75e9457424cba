/**
 * Tab storage that survives reloads. Falls back to memory if the storage is full, for example because of a draft's
 * photo.
 */
const unkept = new Map<string, string>();

export const tabStorage = {
  get: (slot: string): string | null => unkept.get(slot) ?? sessionStorage.getItem(slot),
  set(slot: string, value: string): void {
    unkept.delete(slot);
    try {
      sessionStorage.setItem(slot, value);
    } catch {
      sessionStorage.removeItem(slot);
      unkept.set(slot, value);
    }
  },
  remove(slot: string): void {
    unkept.delete(slot);
    sessionStorage.removeItem(slot);
  },
};
