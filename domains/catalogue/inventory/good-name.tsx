import { PersonAvatar } from '#kit/web/parts/person-avatar.tsx'

type Props = { name: string; picture: unknown; facts: readonly unknown[] }

/** Picture and name of a product, with `facts` in small text below. */
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
