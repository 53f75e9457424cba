export const texts = {
  organizedBy: 'Organiza',
  nextShows: 'Próximos eventos',
  nameless: 'Quien organiza',
  followers: '{count, plural, =0 {Todavía sin seguidores} one {{number} seguidor} other {{number} seguidores}}',
  followOf: 'Seguir a {name}',
  thisOrganizer: 'quien organiza',
  following: 'Siguiendo',
  follow: 'Seguir',
  notFollowed: 'No se pudo seguir',
  stillFollowed: 'No se pudo dejar de seguir',
};
