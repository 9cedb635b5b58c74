type Props = { link: unknown; name: unknown; className: string }

/** A picture; without one the first sign of the name in its place, so that lines stay aligned. */
export function PersonAvatar({ link, name, className }: Props) {
  return link ? (
    <img className={className} src={String(link)} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={className} aria-hidden>
      {String(name).slice(0, 1)}
    </span>
  )
}
