import type { MetroLine } from '@beltway/contracts/catalog/categories';
import type { Position } from '@beltway/places/distance';

/** frontend/PRODUCT.md#map */
export const DEFAULT_ZOOM = 11;
export const SELECTED_ZOOM = 14;
/** The zoom levels that the bundled outlines support (packages/places/README.md#the-map). */
export const MIN_ZOOM = 8;
export const MAX_ZOOM = 15;

/** One event, or several that overlap at this zoom. */
export interface MapMarker {
  key: string;
  at: Position;
  /** The name for screen readers. */
  label: string;
  line: MetroLine;
  /** The short price; empty if the event sells nothing. */
  price: string;
  count: number;
  selected: boolean;
}

/** The visible area, in degrees. */
export interface MapView {
  west: number;
  south: number;
  east: number;
  north: number;
  zoom: number;
}

export interface MapListeners {
  onView: (view: MapView) => void;
  onMarker: (key: string) => void;
  onPopupClosed: () => void;
  /** A one-finger drag over the map, which scrolls the page; two fingers move the map. */
  onOneFinger: () => void;
  /** The map failed after it had opened. */
  onFailed: (error: MapError) => void;
}

/** A map on screen, independent of the provider. */
export interface MapSurface {
  /** Replaces the markers. A marker that fails is logged and skipped. */
  showMarkers: (markers: readonly MapMarker[]) => void;
  goTo: (at: Position, zoom: number) => void;
  zoomBy: (step: 1 | -1) => void;
  openPopup: (at: Position, content: HTMLElement) => void;
  closePopup: () => void;
  /** The visitor's position and its label. */
  showHere: (at: Position, label: string) => void;
  /** Call after the element's size changed. */
  resize: (isFullScreen: boolean) => void;
  destroy: () => void;
}

export type OpenMap = (
  element: HTMLElement,
  start: { center: Position; zoom: number },
  listeners: MapListeners,
) => Promise<MapSurface>;

/**
 * The fixed texts (frontend/PRODUCT.md#fixed-texts), in English; `reason` selects the text that the page shows in its
 * own language.
 */
export class MapError extends Error {
  override name = 'MapError';
  readonly reason: 'unreachable' | 'broken';
  constructor(reason: 'unreachable' | 'broken') {
    super(
      reason === 'unreachable'
        ? 'Google Maps failed to load. Please check your internet connection.'
        : 'Error loading map. Please try again later.',
    );
    this.reason = reason;
  }
}

/** Calls `show` for each marker. If one fails, the others are still shown. */
export function eachMarker(markers: readonly MapMarker[], show: (marker: MapMarker) => void): void {
  for (const marker of markers) {
    try {
      show(marker);
    } catch (error) {
      console.error(`Marker "${marker.label}" could not be shown`, error);
    }
  }
}

export const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
