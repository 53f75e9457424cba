import type { Position } from '@beltway/places/distance';
import { useCallback, useState } from 'react';
import { textsNow } from '../i18n/catalog.ts';
import { texts } from '../i18n/texts.en.ts';

/** The device's position, if the user permits it. */
export type DevicePosition =
  | { state: 'unknown' | 'asking' | 'refused' | 'unavailable'; at?: undefined }
  | { state: 'known'; at: Position };

const GIVE_UP_MS = 10_000;
/** A cached position may be up to this old. */
const FRESH_MS = 60_000;

/** Reads the position only when `ask` is called. The position is kept in this page only. */
export function useDevicePosition(): readonly [DevicePosition, ask: () => void] {
  const [position, setPosition] = useState<DevicePosition>({ state: 'unknown' });
  const ask = useCallback(() => {
    if (!('geolocation' in navigator)) return setPosition({ state: 'unavailable' });
    setPosition({ state: 'asking' });
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lon } }) => setPosition({ state: 'known', at: { lat, lon } }),
      ({ code, PERMISSION_DENIED }) => setPosition({ state: code === PERMISSION_DENIED ? 'refused' : 'unavailable' }),
      { timeout: GIVE_UP_MS, maximumAge: FRESH_MS },
    );
  }, []);
  return [position, ask];
}

/** The message for a missing position; undefined if there is no problem. */
export const positionProblem = ({ state }: DevicePosition): string | undefined =>
  state === 'refused'
    ? textsNow(texts)('noPermission')
    : state === 'unavailable'
      ? textsNow(texts)('noPosition')
      : undefined;
