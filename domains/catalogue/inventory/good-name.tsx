import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'

type Props = { name: string; picture: unknown; facts: readonly unknown[] }

/** Goods at hand: what they look like, what they are called. */
export function GoodName({ name, picture, facts }: Props) {
  return (
    <div className="count-name">
      <PersonAvatar link={String(picture ?? '').split(',')[0]} name={name} className="goods-picture" />
      <div>
        <strong>{name}</strong>
        <small className="kit-quiet">{facts.filter(Boolean).join(' · ')}</small>
      </div>
    </div>
  )
}
