import { Link } from 'react-router-dom';

/** Leads to the contact form from within a text. */
export const ContactLink = ({ children = 'write to us' }: { children?: string }) => (
  <Link to={{ hash: 'contact' }}>{children}</Link>
);
