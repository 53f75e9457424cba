import { z } from 'zod';
import { fieldOr } from '../common/basics.ts';
import { blockText, webLink } from '../common/text.ts';
import { fault } from '../problems/fault.ts';

/** Maximum characters of a profile's text and of each link, and the maximum number of links. */
export const MAX_ABOUT = 600;
export const MAX_LINK = 500;
export const MAX_LINKS = 5;

/** Web links, each http or https. */
export const ProfileLinks = z.array(webLink(MAX_LINK, 'invalid.web-link')).max(MAX_LINKS);
const picture = z.string().max(300).startsWith('/media/images/', fault('invalid.picture-gone'));

/**
 * PUT /api/me/organizer: the whole profile; an absent or empty field removes it. Pictures are URLs that POST
 * /api/images returned.
 */
export const OrganizerProfileBody = z.strictObject({
  about: fieldOr(blockText(MAX_ABOUT, 'invalid.about'), ''),
  links: fieldOr(ProfileLinks, [] as string[]),
  pictureUrl: fieldOr(picture, null),
  coverUrl: fieldOr(picture, null),
});
export type OrganizerProfileBody = z.infer<typeof OrganizerProfileBody>;
