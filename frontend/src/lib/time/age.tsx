import { useClock } from './clock.ts';
import { formatAge } from '../i18n/format.ts';

const HOUR_MS = 3_600_000;

/** How long ago something was published. Renders again at each full hour of age. */
export const useAge = (createdAt: string | null | undefined): string =>
  formatAge(createdAt, useClock([], HOUR_MS, Date.parse(createdAt ?? '') || 0));

export const Age = ({ of }: { of: string | null | undefined }) => useAge(of);
