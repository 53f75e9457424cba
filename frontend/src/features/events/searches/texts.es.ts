import type { Translated } from '../../../lib/i18n/catalogue.ts';
import type { texts as english } from './texts.en.ts';

export const texts = {
  noPosition: 'Tu dispositivo todavía no ha dicho dónde estás.',
  tooLong: 'Son demasiadas palabras para guardarlas con un día. Quita algunas.',
  saved: 'Búsqueda guardada',
  savedAs: 'Ya habías guardado esta búsqueda como «{name}»',
  ringsBell: 'Los eventos nuevos que encuentre hacen sonar tu campana.',
  yourSearches: 'Tus búsquedas guardadas',
  saveThis: 'Guardar esta búsqueda',
  saving: 'Guardando…',
  save: 'Guardar búsqueda',
  saveWhy:
    'Cuando se publica un evento que encaja, suena tu campana. Elige en tu cuenta si también te llega por correo y en tus dispositivos.',
  looksFor: 'Qué busca',
  positionKept:
    'Se guarda con ella dónde estás ahora, con una precisión de un kilómetro más o menos, hasta que elimines la búsqueda.',
  name: 'Nombre',
  savedSearches: 'Búsquedas guardadas',
  notLoaded: 'No se pudieron cargar tus búsquedas',
  loading: 'Cargando tus búsquedas',
  none: 'Todavía no hay ninguna. Busca o filtra en la página de inicio y pulsa «Guardar esta búsqueda»: tu campana suena cuando un evento nuevo encaja.',
  findEvents: 'Buscar eventos',
  ringBell: 'Los eventos nuevos que encuentren hacen sonar tu campana. {count} de {max}.',
  deleted: 'Búsqueda eliminada',
  ringsNoMore: '«{name}» ya no suena.',
  notDeleted: 'No se eliminó',
  renameOf: 'Cambiar el nombre de {name}',
  deleteOf: 'Eliminar {name}',
  renameThis: 'Cambiar el nombre de esta búsqueda',
  renaming: 'Cambiando el nombre…',
  rename: 'Cambiar el nombre',
} as const satisfies Translated<typeof english>;
