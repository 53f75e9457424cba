import { eachMarker, MapError, type MapMarker, type OpenMap } from './surface.ts';

/** The part of the Maps JavaScript API that we use (developers.google.com/maps/documentation/javascript/reference). */
interface LatLng {
  lat: number;
  lng: number;
}
interface Listened {
  addListener: (event: string, listener: () => void) => void;
}
interface GoogleMap extends Listened {
  getBounds: () => { toJSON: () => { west: number; south: number; east: number; north: number } } | undefined;
  getZoom: () => number | undefined;
  setZoom: (zoom: number) => void;
  setCenter: (center: LatLng) => void;
  setOptions: (options: object) => void;
}
interface GoogleMarker extends Listened {
  setMap: (map: GoogleMap | null) => void;
}
interface GooglePopup extends Listened {
  setContent: (content: HTMLElement) => void;
  setPosition: (at: LatLng) => void;
  open: (map: GoogleMap) => void;
  close: () => void;
}
export interface GoogleMaps {
  Map: new (element: HTMLElement, options: object) => GoogleMap;
  Marker: new (options: object) => GoogleMarker;
  InfoWindow: new (options?: object) => GooglePopup;
  SymbolPath: { CIRCLE: unknown };
}
declare global {
  interface Window {
    google?: { maps?: Partial<GoogleMaps> };
    /** Google Maps calls this function when it rejects the key. */
    gm_authFailure?: () => void;
  }
}

/** frontend/PRODUCT.md#map */
const LOOK_EVERY_MS = 100;
const GIVE_UP_MS = 15_000;
const SCRIPT_ID = 'google-maps';

/** Requests the library once and checks every 100 ms whether it has loaded. */
async function library(key: string): Promise<GoogleMaps> {
  let failed = false;
  if (!document.getElementById(SCRIPT_ID)) {
    const script = document.createElement('script');
    script.id = SCRIPT_ID;
    script.async = true;
    script.src = `https://maps.googleapis.com/maps/api/js?${new URLSearchParams({ key, v: 'weekly' }).toString()}`;
    script.onerror = () => {
      failed = true;
      // Removes the script, so that a later call requests the script again.
      script.remove();
    };
    document.head.append(script);
  }
  for (let waited = 0; waited <= GIVE_UP_MS && !failed; waited += LOOK_EVERY_MS) {
    const maps = window.google?.maps;
    if (maps?.Map && maps.Marker && maps.InfoWindow) return maps as GoogleMaps;
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
  throw new MapError('unreachable');
}

const latLng = ({ lat, lon }: { lat: number; lon: number }): LatLng => ({ lat, lng: lon });
/** The value of a theme color, because Google's map cannot read CSS variables. */
const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`);

/** Google's map, used if a key is configured. */
export const openGoogleMap =
  (key: string): OpenMap =>
  async (element, { center, zoom }, listeners) => {
    const maps = await library(key);
    window.gm_authFailure = () => listeners.onFailed(new MapError('broken'));
    let map: GoogleMap;
    let popup: GooglePopup;
    try {
      map = new maps.Map(element, {
        center: latLng(center),
        zoom,
        disableDefaultUI: true,
        gestureHandling: 'cooperative',
      });
      popup = new maps.InfoWindow({ maxWidth: 288 });
    } catch (error) {
      console.error('Google Maps could not be started', error);
      throw new MapError('broken');
    }
    let markers: GoogleMarker[] = [];
    let here: GoogleMarker | undefined;
    map.addListener('idle', () => {
      const bounds = map.getBounds()?.toJSON();
      if (bounds) listeners.onView({ ...bounds, zoom: map.getZoom() ?? zoom });
    });
    popup.addListener('closeclick', () => listeners.onPopupClosed());

    const circle = (fill: string, scale: number) => ({
      path: maps.SymbolPath.CIRCLE,
      scale,
      fillColor: color(fill),
      fillOpacity: 1,
      strokeColor: color('raised'),
      strokeWeight: 3,
    });
    const pinOf = ({ key: of, at, label, line, price, count, selected }: MapMarker): GoogleMarker => {
      const marker = new maps.Marker({
        map,
        position: latLng(at),
        title: label,
        icon: count > 1 ? circle('inverse', 16) : circle(`metro-${line}`, selected ? 14 : 10),
        ...(count > 1
          ? { label: { text: String(count), color: color('on-inverse') } }
          : price && { label: { text: price, color: color('ink') } }),
      });
      marker.addListener('click', () => listeners.onMarker(of));
      return marker;
    };
    return {
      showMarkers: (shown) => {
        for (const marker of markers) marker.setMap(null);
        markers = [];
        eachMarker(shown, (marker) => void markers.push(pinOf(marker)));
      },
      goTo: (at, to) => {
        map.setCenter(latLng(at));
        map.setZoom(to);
      },
      zoomBy: (step) => map.setZoom((map.getZoom() ?? zoom) + step),
      openPopup: (at, content) => {
        popup.setContent(content);
        popup.setPosition(latLng(at));
        popup.open(map);
      },
      closePopup: () => popup.close(),
      showHere: (at, label) => {
        here?.setMap(null);
        here = new maps.Marker({ map, position: latLng(at), title: label, icon: circle('focus', 7) });
      },
      resize: (isFullScreen) => map.setOptions({ gestureHandling: isFullScreen ? 'greedy' : 'cooperative' }),
      destroy: () => {
        for (const marker of markers) marker.setMap(null);
        popup.close();
        element.replaceChildren();
      },
    };
  };
