import { useCallback, useEffect, useState } from 'react';
import type { Position } from './filter.ts';

export type PositionState =
  { status: 'unknown' | 'asking' | 'denied' | 'failed'; position: null } | { status: 'known'; position: Position };

const UNKNOWN: PositionState = { status: 'unknown', position: null };
const OPTIONS: PositionOptions = { maximumAge: 5 * 60_000, timeout: 15_000 };

/**
 * Where the device is, asked for once it is wanted. It stays in the page: only searches carry it, rounded (`searchOf`). Without permission,
 * or where a browser cannot tell, the state says so.
 */
export function usePosition(isWanted: boolean): PositionState & { ask: () => void } {
  const [state, setState] = useState<PositionState>(UNKNOWN);
  const ask = useCallback(() => {
    if (!('geolocation' in navigator)) return setState({ status: 'failed', position: null });
    setState({ status: 'asking', position: null });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => setState({ status: 'known', position: { lat: coords.latitude, lon: coords.longitude } }),
      ({ code, PERMISSION_DENIED }) =>
        setState({ status: code === PERMISSION_DENIED ? 'denied' : 'failed', position: null }),
      OPTIONS,
    );
  }, []);
  useEffect(() => {
    if (isWanted) ask();
    else setState(UNKNOWN);
  }, [isWanted, ask]);
  return { ...state, ask };
}

/** What to say while there is no position; null when there is nothing to say. */
export const positionNotice: Record<PositionState['status'], string | null> = {
  unknown: null,
  known: null,
  asking: 'Asking your device where it is …',
  denied:
    'Your browser is not allowed to say where you are, so distances are left out. Allow it in its settings, or choose a place.',
  failed: 'Your device cannot say where it is right now, so distances are left out. Choose a place instead.',
};
