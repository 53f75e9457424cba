import { Link } from 'react-router-dom';

interface PersonNameProps {
  person: { userId: number; hasProfile?: boolean | undefined };
  name: string;
}

/** The author's name, which links to the profile if that is public. */
export const PersonName = ({ person: { userId, hasProfile }, name }: PersonNameProps) =>
  hasProfile ? (
    <Link
      to={`/u/${userId}`}
      className="inline-flex min-h-11 items-center font-strong underline-offset-4 wrap-anywhere hover:underline"
    >
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <bdi className="font-strong wrap-anywhere">{name}</bdi>
  );
