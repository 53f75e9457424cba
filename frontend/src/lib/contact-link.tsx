import { Link } from 'react-router-dom';
import { textsNow } from './catalogue.ts';
import { texts } from './texts.ts';

/** Leads to the contact form from within a text. */
export const ContactLink = ({ children }: { children?: string }) => (
  <Link to={{ hash: 'contact' }}>{children ?? textsNow(texts)('writeToUs')}</Link>
);
