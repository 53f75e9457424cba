import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** Leads to the contact form from within a text. */
export const ContactLink = ({ children }: { children: ReactNode }) => <Link to={{ hash: 'contact' }}>{children}</Link>;
