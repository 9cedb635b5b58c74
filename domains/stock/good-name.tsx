type Props = { name: string; picture: unknown; facts: readonly unknown[] }

/** Goods at hand: what they look like, what they are called. */
export function GoodName({ name, picture, facts }: Props) {
  return (
    <div className="count-name">
      {picture ? (
        <img className="goods-picture" src={String(picture).split(',')[0]} alt="" />
      ) : (
        <span className="goods-picture" aria-hidden>
          {name.slice(0, 1)}
        </span>
      )}
      <div>
        <strong>{name}</strong>
        <small className="kit-quiet">{facts.filter(Boolean).join(' · ')}</small>
      </div>
    </div>
  )
}
