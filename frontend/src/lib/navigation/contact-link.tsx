import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** A link to the contact form within a text. */
export const ContactLink = ({ children }: { children: ReactNode }) => <Link to={{ hash: 'contact' }}>{children}</Link>;
