import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'

/** A product's picture, or its first letter. */
export function GoodsPicture({ link, name, large }: { link: string; name: string; large?: boolean }) {
  const className = large ? 'order-picture order-picture-large' : 'order-picture'
  return <PersonAvatar link={link} name={name} className={className} />
}
