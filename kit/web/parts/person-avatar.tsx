type Props = { link: unknown; name: unknown; className: string }

/** Shows a person's picture, or the first character of the name, so that lines stay aligned. */
export function PersonAvatar({ link, name, className }: Props) {
  return link ? (
    <img className={className} src={String(link)} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={className} aria-hidden>
      {String(name).slice(0, 1)}
    </span>
  )
}
