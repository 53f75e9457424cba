import type { MetroLine } from '@beltway/contracts/catalog/categories';
import type { Position } from '@beltway/places/distance';

/** frontend/PRODUCT.md#map */
export const DEFAULT_ZOOM = 11;
export const SELECTED_ZOOM = 14;
/** What the bundled outlines are drawn for (packages/places/README.md#the-map). */
export const MIN_ZOOM = 8;
export const MAX_ZOOM = 15;

/** One event, or several that lie on each other at this zoom. */
export interface MapMarker {
  key: string;
  at: Position;
  /** What it is, for those who do not see it. */
  label: string;
  line: MetroLine;
  /** What it costs, in few letters; empty where nothing is sold. */
  price: string;
  count: number;
  selected: boolean;
}

/** What is in sight, in degrees. */
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
  /** One finger moves over the map, which scrolls the page: two fingers move the map. */
  onOneFinger: () => void;
  /** The map stopped working after it was there. */
  onFailed: (error: MapError) => void;
}

/** A map on the screen, whoever draws it. */
export interface MapSurface {
  /** Takes the place of the markers before. One that fails is logged and skipped. */
  showMarkers: (markers: readonly MapMarker[]) => void;
  goTo: (at: Position, zoom: number) => void;
  zoomBy: (step: 1 | -1) => void;
  openPopup: (at: Position, content: HTMLElement) => void;
  closePopup: () => void;
  /** Where the visitor is, and how that is called. */
  showHere: (at: Position, label: string) => void;
  /** Its element has another size now. */
  resize: (isFullScreen: boolean) => void;
  destroy: () => void;
}

export type OpenMap = (
  element: HTMLElement,
  start: { center: Position; zoom: number },
  listeners: MapListeners,
) => Promise<MapSurface>;

/** The fixed texts (frontend/PRODUCT.md#fixed-texts), in English; `reason` is what the page shows in its own language. */
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

/** Shows each; one that fails does not take the others with it. */
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
