/** A picture of goods; without one, its first letter on a quiet ground, so that lines stay aligned. */
export function GoodsPicture({ link, name, large }: { link: string; name: string; large?: boolean }) {
  const className = large ? 'order-picture order-picture-large' : 'order-picture'
  return link ? (
    <img className={className} src={link} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={className} aria-hidden>
      {name.slice(0, 1)}
    </span>
  )
}
