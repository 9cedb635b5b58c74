import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'

/** A picture of goods, or their first letter on a quiet ground. */
export function GoodsPicture({ link, name, large }: { link: string; name: string; large?: boolean }) {
  const className = large ? 'order-picture order-picture-large' : 'order-picture'
  return <PersonAvatar link={link} name={name} className={className} />
}
