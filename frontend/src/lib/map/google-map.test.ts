import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openGoogleMap } from './google-map.ts';
import { DEFAULT_ZOOM, type MapListeners, type MapMarker } from './surface.ts';

const center = { lat: 38.9, lon: -77 };
const listeners = (): MapListeners => ({
  onView: vi.fn(),
  onMarker: vi.fn(),
  onPopupClosed: vi.fn(),
  onOneFinger: vi.fn(),
  onFailed: vi.fn(),
});
const open = (told = listeners()) =>
  openGoogleMap('key-1')(document.createElement('div'), { center, zoom: DEFAULT_ZOOM }, told);
const script = () => document.getElementById('google-maps') as HTMLScriptElement;
const marker = (key: string): MapMarker => ({
  key,
  at: center,
  label: `Event ${key}`,
  line: 'red',
  price: '',
  count: 1,
  selected: false,
});

/** Finishes loading a fake library, and records the objects created with it. */
function arrives({ breaks = false, refuses = '' } = {}) {
  const made: { map: object[]; markers: { title: string }[] } = { map: [], markers: [] };
  class Listened {
    addListener() {}
    setMap() {}
  }
  window.google = {
    maps: {
      Map: class extends Listened {
        constructor(_element: HTMLElement, options: object) {
          super();
          if (breaks) throw new Error('no');
          made.map.push(options);
        }
      } as never,
      Marker: class extends Listened {
        constructor(options: { title: string }) {
          super();
          if (options.title === refuses) throw new Error('no such marker');
          made.markers.push(options);
        }
      } as never,
      InfoWindow: Listened as never,
      SymbolPath: { CIRCLE: 0 },
    },
  };
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  // The script element is added, but its code is never requested.
  vi.spyOn(document.head, 'append').mockImplementation((node) => void document.body.append(node));
  vi.spyOn(HTMLScriptElement.prototype, 'src', 'set').mockImplementation(function (this: HTMLScriptElement, value) {
    this.dataset['src'] = value;
  });
});
afterEach(() => {
  script()?.remove();
  delete window.google;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('Google Maps', () => {
  test('waits for the library, checking every 100 ms', async () => {
    const opening = open();
    await vi.advanceTimersByTimeAsync(350);
    expect(script().dataset['src']).toBe('https://maps.googleapis.com/maps/api/js?key=key-1&v=weekly');
    const made = arrives();
    expect(made.map).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    await opening;
    expect(made.map).toMatchObject([{ zoom: 11, center: { lat: 38.9, lng: -77 } }]);
  });
  test.each([
    ['never comes', () => undefined],
    ['cannot be fetched', () => script().dispatchEvent(new Event('error'))],
  ])('rejects when the library %s', async (_name, happens) => {
    const refused = expect(open()).rejects.toThrow(
      'Google Maps failed to load. Please check your internet connection.',
    );
    happens();
    await vi.advanceTimersByTimeAsync(16_000);
    await refused;
  });
  test('fails if the map cannot be created, or if the key is refused later', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    arrives({ breaks: true });
    await expect(open()).rejects.toThrow('Error loading map. Please try again later.');
    arrives();
    const told = listeners();
    await open(told);
    window.gm_authFailure?.();
    expect(told.onFailed).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'Error loading map. Please try again later.' }),
    );
  });
  test('logs and skips a marker that fails', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const made = arrives({ refuses: 'Event 2' });
    (await open()).showMarkers([marker('1'), marker('2'), marker('3')]);
    expect(made.markers.map(({ title }) => title)).toEqual(['Event 1', 'Event 3']);
    expect(logged).toHaveBeenCalledOnce();
  });
});
