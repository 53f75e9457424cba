export const texts = {
  gettingThere: 'Cómo llegar',
  mapOf: 'Cómo llegar a {place}<hidden> (abre un mapa en otra pestaña)</hidden>',
  walkFrom:
    '{count, plural, =0 {Junto a la estación de Metro {station}} one {A # minuto a pie de la estación de Metro {station}} other {A # minutos a pie de la estación de Metro {station}}}',
  from: '¿A qué hora salir?',
  places: 'Lugares',
  fromHint: 'Desde una estación de Metro, un barrio o donde estás',
  usePosition: 'Usar mi ubicación',
  leaveBy: 'Sal antes de las {time}',
  leaveNow: 'Sal ya: llegarías {count, plural, one {# minuto} other {# minutos}} tarde',
  noWay: 'Desde ahí no hay forma rápida a pie o en Metro. Abre las indicaciones para ver otras.',
  estimates: 'Son estimados. Consulta las demoras en WMATA.',
};
