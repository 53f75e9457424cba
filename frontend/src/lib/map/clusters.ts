import Supercluster from 'supercluster';
import type { Position } from '@beltway/places/distance';
import { MAX_ZOOM, type MapView } from './surface.ts';

/** Markers closer together than this, in pixels, form a cluster. */
const RADIUS = 44;

/**
 * A marker on the map: its items, and the zoom at which the marker splits. The zoom is null if the items share a
 * position, because the marker then never splits.
 */
export interface Cluster<T> {
  key: string;
  at: Position;
  items: T[];
  apartAt: number | null;
}

/**
 * Clusters overlapping items; call the returned function for each view. Throws a RangeError for an invalid position.
 */
export function clusterer<T>(items: readonly T[], key: (item: T) => string | number, at: (item: T) => Position) {
  for (const item of items) {
    const { lat, lon } = at(item);
    if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) throw new RangeError(`No position on earth: ${lat}, ${lon}`);
  }
  const index = new Supercluster<{ item: T }>({ radius: RADIUS, extent: 256, maxZoom: MAX_ZOOM });
  index.load(
    items.map((item) => ({
      type: 'Feature',
      properties: { item },
      geometry: { type: 'Point', coordinates: [at(item).lon, at(item).lat] },
    })),
  );
  return ({ west, south, east, north, zoom }: MapView): Cluster<T>[] =>
    index.getClusters([west, south, east, north], Math.round(zoom)).map(({ geometry, properties }) => {
      const [lon = 0, lat = 0] = geometry.coordinates;
      if (!('cluster_id' in properties))
        return { key: `one-${key(properties.item)}`, at: { lat, lon }, items: [properties.item], apartAt: null };
      const { cluster_id: id } = properties;
      const leaves = index.getLeaves(id, Infinity).map((leaf) => leaf.properties.item);
      const apartAt = index.getClusterExpansionZoom(id);
      const first = Math.min(...leaves.map((leaf) => Number(key(leaf))));
      return {
        key: `many-${first}-${leaves.length}`,
        at: { lat, lon },
        items: leaves,
        apartAt: apartAt > MAX_ZOOM ? null : apartAt,
      };
    });
}
