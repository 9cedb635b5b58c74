import { useState } from 'react'

/** A row's picture, 36 px; the first sign of its title where there is none or it cannot be loaded. */
export function RowPicture({ url, title }: { url: string; title: string }) {
  const [isBroken, setBroken] = useState(false)
  const first = url.split(',', 1)[0] ?? ''
  if (!first || isBroken)
    return (
      <span className="kit-list-row-picture" aria-hidden>
        {[...title][0] ?? ''}
      </span>
    )
  return <img className="kit-list-row-picture" src={first} alt="" loading="lazy" onError={() => setBroken(true)} />
}
