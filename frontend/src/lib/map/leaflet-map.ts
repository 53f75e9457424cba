import { METRO_LINES } from '@beltway/contracts/catalog/categories';
import { LABELS, type MapLabel } from '@beltway/places/map/labels';
import { OUTLINES } from '@beltway/places/map/outlines';
import { OUTER_BOUNDS } from '@beltway/places/map/view';
import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import './leaflet-map.css';
import { eachMarker, MAX_ZOOM, MIN_ZOOM, wantsLessMotion, type MapMarker, type OpenMap } from './surface.ts';

/** The length of each Metro line's dash, in pixels, where several lines share a track. */
const DASH = 10;

/** In pixels. */
const POPUP_WIDTH = 288;
const POPUP_FRAME = 2 * 16;
const MARGIN = 12;
/** The width of the column of buttons at the right edge, in pixels. */
const FOR_BUTTONS = 76;

/** Pans the map until the popup is clear of the buttons; if it does not fit, its top stays visible. */
function bringInSight(map: L.Map, popup: L.Popup, animate: boolean): void {
  const box = popup.getElement()?.getBoundingClientRect();
  if (!box) return;
  const all = map.getContainer().getBoundingClientRect();
  const left = Math.min(0, box.left - all.left - MARGIN);
  const right = Math.max(0, box.right - all.right + FOR_BUTTONS);
  const top = Math.min(0, box.top - all.top - MARGIN);
  const bottom = Math.max(0, box.bottom - all.bottom + MARGIN);
  if (left || right || top || bottom) map.panBy([left || right, top || bottom], { animate });
}

const meet = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/** Hides markers partly covered by the popup or the buttons, because they could hardly be pressed. */
function hideCovered(map: L.Map, popup: L.Popup, markers: L.LayerGroup): void {
  const over = [...(map.getContainer().parentElement?.querySelectorAll('[data-over-map]') ?? [])];
  if (popup.isOpen()) over.push(...(popup.getElement() ? [popup.getElement()!] : []));
  const boxes = over.map((one) => one.getBoundingClientRect());
  markers.eachLayer((layer) => {
    const pin = (layer as L.Marker).getElement();
    if (!pin || pin.classList.contains('map-pin-selected')) return;
    const box = pin.getBoundingClientRect();
    pin.style.visibility = boxes.some((other) => meet(box, other)) ? 'hidden' : '';
  });
}

/** The bundled outlines in Leaflet: no key, tiles or external requests. Colors and widths: leaflet-map.css. */
export const openLeafletMap: OpenMap = async (element, { center, zoom }, listeners) => {
  const animate = !wantsLessMotion();
  const { south, west, north, east } = OUTER_BOUNDS;
  const map = L.map(element, {
    center: [center.lat, center.lon],
    zoom,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    maxBounds: [
      [south, west],
      [north, east],
    ],
    zoomControl: false,
    attributionControl: false,
    // The wheel and one finger scroll the page, except in full screen.
    scrollWheelZoom: false,
    dragging: false,
    zoomAnimation: animate,
    fadeAnimation: animate,
    markerZoomAnimation: animate,
    inertia: animate,
    renderer: L.svg({ padding: 0.6 }),
  });
  drawOutlines(map);
  const labels = drawLabels(map);
  const markers = L.layerGroup().addTo(map);
  const here = L.layerGroup().addTo(map);
  const popup = L.popup({ autoPan: false, offset: [0, -26] });

  let isFull = false;
  /**
   * Allows dragging with the mouse, and in full screen with one finger. Two fingers always move the map (`touchZoom`).
   */
  const letDrag = ({ pointerType }: { pointerType: string }) =>
    isFull || pointerType === 'mouse' ? map.dragging.enable() : map.dragging.disable();
  element.addEventListener('pointerenter', letDrag);
  element.addEventListener('pointerdown', letDrag, { capture: true });
  element.addEventListener('touchmove', ({ touches }) => touches.length === 1 && !isFull && listeners.onOneFinger(), {
    passive: true,
  });

  const tellView = () => {
    element.dataset['from'] = Array.from({ length: MAX_ZOOM }, (_, at) => at + 1)
      .filter((one) => one <= map.getZoom())
      .join(' ');
    labels();
    const bounds = map.getBounds();
    listeners.onView({
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
      zoom: map.getZoom(),
    });
  };
  map.on('moveend', tellView);
  const uncover = () => hideCovered(map, popup, markers);
  const fitPopup = () => {
    const width = Math.min(POPUP_WIDTH, map.getSize().x - POPUP_FRAME - MARGIN - FOR_BUTTONS);
    Object.assign(popup.options, { minWidth: width, maxWidth: width });
  };
  map.on('popupclose', () => {
    uncover();
    listeners.onPopupClosed();
  });
  map.on('resize', () => {
    if (!popup.isOpen()) return;
    fitPopup();
    popup.update();
    bringInSight(map, popup, false);
    uncover();
  });
  tellView();

  return {
    showMarkers: (shown) => {
      const focused = document.activeElement?.getAttribute('data-marker');
      markers.clearLayers();
      eachMarker(shown, (marker) => {
        const pin = pinOf(marker, () => listeners.onMarker(marker.key)).addTo(markers);
        if (focused === marker.key) pin.getElement()?.focus({ preventScroll: true });
      });
      uncover();
    },
    // Without animation, because an opening popup would interrupt the animation.
    goTo: (at, to) => map.setView([at.lat, at.lon], to, { animate: false }),
    zoomBy: (step) => map.setZoom(map.getZoom() + step, { animate }),
    openPopup: (at, content) => {
      fitPopup();
      popup.setContent(content).setLatLng([at.lat, at.lon]);
      // Opening an open popup would close it first and fire its close event.
      if (popup.isOpen()) popup.update();
      else popup.openOn(map);
      bringInSight(map, popup, animate);
      uncover();
    },
    closePopup: () => map.closePopup(popup),
    showHere: (at, label) => {
      here.clearLayers();
      const icon = L.divIcon({ className: 'map-here', iconSize: [18, 18] });
      const marker = L.marker([at.lat, at.lon], { icon, interactive: false, keyboard: false }).addTo(here);
      marker.getElement()?.setAttribute('role', 'img');
      marker.getElement()?.setAttribute('aria-label', label);
    },
    resize: (isFullScreen) => {
      isFull = isFullScreen;
      // Set before the first touch, because the browser decides at the start of a touch whether it scrolls the page.
      letDrag({ pointerType: 'touch' });
      map.invalidateSize({ animate: false });
      if (isFullScreen) map.scrollWheelZoom.enable();
      else map.scrollWheelZoom.disable();
    },
    destroy: () => {
      map.off();
      map.remove();
    },
  };
};

function drawOutlines(map: L.Map): void {
  const add = (shape: Parameters<typeof L.geoJSON>[0], className: string, more: L.PathOptions = {}) =>
    L.geoJSON(shape, { interactive: false, style: { className, fill: false, ...more } }).addTo(map);
  const filled: L.PathOptions = { fill: true, stroke: false, fillRule: 'evenodd', fillOpacity: 1 };
  add(OUTLINES.parks, 'map-park', filled);
  add(OUTLINES.water, 'map-water', filled);
  add(OUTLINES.creeks, 'map-creek');
  for (const border of OUTLINES.borders.features) add(border, `map-border-${border.properties.border}`);
  for (const road of OUTLINES.roads.features) add(road, `map-road map-${road.properties.kind}`);
  for (const track of OUTLINES.metro.features) {
    const { lines } = track.properties;
    for (const [at, line] of lines.entries())
      add(track, `map-metro map-line-${line}`, {
        lineCap: 'butt',
        ...(lines.length > 1 && { dashArray: [DASH, DASH * (lines.length - 1)], dashOffset: `${-DASH * at}` }),
      });
  }
}

/** Draws the place names in view; call the result after each move. */
function drawLabels(map: L.Map): () => void {
  const shown = new Map<MapLabel, L.Marker>();
  return () => {
    const bounds = map.getBounds().pad(0.3);
    const zoom = map.getZoom();
    for (const label of LABELS) {
      const wanted = label.zoom <= zoom && bounds.contains([label.lat, label.lon]);
      const marker = shown.get(label);
      if (wanted && !marker) shown.set(label, labelOf(label).addTo(map));
      if (!wanted && marker) {
        marker.remove();
        shown.delete(label);
      }
    }
  };
}

function labelOf({ kind, text, lat, lon }: MapLabel): L.Marker {
  const name = document.createElement('span');
  name.textContent = text;
  const icon = L.divIcon({ className: `map-label map-label-${kind}`, html: name, iconSize: [0, 0] });
  const marker = L.marker([lat, lon], { icon, interactive: false, keyboard: false, zIndexOffset: -10_000 });
  // Labels are only part of the picture; screen readers use the list beside the map.
  marker.on('add', () => marker.getElement()?.setAttribute('aria-hidden', 'true'));
  return marker;
}

function pinOf({ key, at, label, line, price, count, selected }: MapMarker, onPress: () => void): L.Marker {
  const many = count > 1;
  const face = document.createElement('span');
  face.textContent = many ? String(count) : price;
  // The accessible name contains the visible text (WCAG 2.5.3).
  const name = many || !price ? label : `${label}, ${price}`;
  const size = many ? 44 : 32;
  const icon = L.divIcon({
    className: [
      'map-pin',
      many ? 'map-pin-many' : `map-line-${METRO_LINES.includes(line) ? line : 'yellow'}`,
      ...(price && !many ? ['map-pin-price'] : []),
      ...(selected ? ['map-pin-selected'] : []),
    ].join(' '),
    html: face,
    iconSize: [size, size],
    // A single event's marker sits above its place, so that it does not hide the name.
    ...(!many && { iconAnchor: [size / 2, size] }),
  });
  const marker = L.marker([at.lat, at.lon], {
    icon,
    title: name,
    riseOnHover: true,
    zIndexOffset: selected ? 1_000 : 0,
  });
  marker.on('click', onPress);
  marker.on('add', () => {
    const element = marker.getElement();
    element?.setAttribute('aria-label', name);
    element?.setAttribute('data-marker', key);
    // Leaflet handles Enter only for markers with their own popup.
    element?.addEventListener('keydown', (press) => {
      if (press.key !== 'Enter' && press.key !== ' ') return;
      press.preventDefault();
      onPress();
    });
  });
  return marker;
}
